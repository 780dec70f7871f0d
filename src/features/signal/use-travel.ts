// From record to record by keys: j and k wherever the focus is, the arrows on a row; and the row of a record that was left.
import {
  type KeyboardEvent as Pressed,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from 'react'
import { taken } from '#screen/keys.ts'
import type { ListEntry } from './days.ts'
import type { useWindow } from './use-window.ts'

type Window = Pick<ReturnType<typeof useWindow>, 'virtual' | 'setActive'>

/** Puts the focus on a record's row, also on one that is not drawn yet. */
export type Reach = (key: string) => void

/** `reach` is filled with the way to a row. The answer listens on the list itself. */
export function useTravel(
  box: RefObject<HTMLElement | null>,
  entries: readonly ListEntry[],
  { virtual, setActive }: Window,
  reach: RefObject<Reach | null>,
) {
  const wanted = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (wanted.current === null) return
    const link = box.current?.querySelector<HTMLElement>(
      `[data-key="${CSS.escape(wanted.current)}"] :is(a, button)`,
    )
    if (!link) return
    wanted.current = null
    link.focus({ preventScroll: true })
  })

  const to = (at: number) => {
    const entry = entries[at]
    if (!entry) return
    wanted.current = entry.key
    setActive(at)
    virtual.scrollToIndex(at, { align: 'auto' })
  }
  const step = (key: string, by: number) => {
    const at = entries.findIndex((entry) => entry.key === key) + by
    to(entries[at]?.kind === 'day' ? at + by : at)
  }
  const onKeyDown = (event: Pressed<HTMLElement>) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const key = keyOf(event.target)
    if (!by || !key || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    step(key, by)
  }
  const press = useEffectEvent((event: KeyboardEvent) => {
    const by = letter(event)
    if (!by || taken(event)) return
    event.preventDefault()
    const key = keyOf(document.activeElement)
    if (key) step(key, by)
    else {
      // nobody stands in the list yet: it begins with the first record in sight
      const first = virtual.range?.startIndex ?? 0
      to(entries[first]?.kind === 'day' ? first + 1 : first)
    }
  })
  useLayoutEffect(() => {
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  useEffect(() => {
    reach.current = (key) => to(entries.findIndex((entry) => entry.key === key))
  })
  return onKeyDown
}

function keyOf(target: EventTarget | null): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-key]')?.dataset['key'] : undefined
}

/** 1 for the next record, −1 for the one before, nothing for any other key. */
export function letter({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): 1 | -1 | undefined {
  return shiftKey ? undefined : ({ j: 1, k: -1 } as const)[key.toLowerCase()]
}
