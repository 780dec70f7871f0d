/* The lists that Mantine opens, in the look of our menus: their classes, and what stands in a line. */

import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from '@mantine/core'
import { type KeyboardEvent, useCallback, useState } from 'react'
import css from '../forms.module.css'
import { Icon } from '../Icon.tsx'

/** For `classNames` of the library's parts. */
export const LISTS = {
  dropdown: css.List,
  options: css.ListOptions,
  option: css.ListOption,
  groupLabel: css.ListGroup,
  empty: css.ListEmpty,
}

export function ListLine({ label, chosen }: { label: string; chosen: boolean }) {
  return (
    <>
      <span className={css.ListWords}>{label}</span>
      {chosen && <Icon name="check" size={16} />}
    </>
  )
}

/* Where a list of Mantine's opens: in the dialog it is asked from, which makes all else inert, or in the page's main part, never outside of it. */

/** A part shown in another theme keeps its lists with it. */
const FLOORS = 'dialog, [data-theme]:not(html), main'

/** `anchor` for an element around the control; `list` for the library's floating part. */
export function useFloor() {
  const [floor, setFloor] = useState<HTMLElement | null>(null)
  const anchor = useCallback(
    (node: HTMLElement | null) => setFloor(node?.closest<HTMLElement>(FLOORS) ?? null),
    [],
  )
  const list = {
    withinPortal: floor !== null,
    ...(floor && { portalProps: { target: floor } }),
    // what scrolls around the control cuts nothing off
    floatingStrategy: 'fixed',
    position: 'bottom-start',
    offset: 6,
    transitionProps: { duration: 0 },
  } as const
  return { anchor, list }
}

/** Esc closes the list only: the dialog around it hears of a press that nobody took. */
export function keepDialog(event: {
  key: string
  currentTarget: HTMLElement
  preventDefault: () => void
}): void {
  if (event.key === 'Escape' && event.currentTarget.hasAttribute('data-expanded')) event.preventDefault()
}

/* Enter takes the line that is marked. Mantine goes by a number that it looks up a moment after the list opens: whoever typed before that moment would choose nothing, or what was chosen before. */

/** For `onKeyDownCapture` around a control with its list; where nothing is marked the key is the control's own. */
export function takeMarked(event: KeyboardEvent<HTMLElement>): void {
  const { target } = event
  if (event.key !== 'Enter' || !(target instanceof HTMLInputElement)) return
  const list = document.getElementById(target.getAttribute('aria-controls') ?? '')
  const marked = list?.querySelector<HTMLElement>('[data-combobox-selected]')
  if (!marked) return
  event.preventDefault()
  event.stopPropagation()
  marked.click()
}

/* What a typed word finds among labels: whatever the width of letters, 台 or 臺, spaces between. */

const plain = (text: string) =>
  text.normalize('NFKC').toLowerCase().replaceAll('臺', '台').replaceAll(/\s/g, '')

export function matches(label: string, word: string): boolean {
  return plain(label).includes(plain(word))
}

/** For the library: items and groups of them, without the groups that nothing is left of. */
export const matching: OptionsFilter = ({ options, search }) => {
  const fits = ({ label }: ComboboxItem) => matches(label, search)
  return options.flatMap((one): ComboboxParsedItem[] => {
    if (!('items' in one)) return fits(one) ? [one] : []
    const items = one.items.filter(fits)
    return items.length > 0 ? [{ ...one, items }] : []
  })
}
