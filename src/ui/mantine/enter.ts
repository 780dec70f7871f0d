/* Enter takes the line that is marked. Mantine goes by a number that it looks up a moment after the list opens: whoever typed before that moment would choose nothing, or what was chosen before. */
import type { KeyboardEvent } from 'react'

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
