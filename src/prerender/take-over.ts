// The application takes the place of a page that was drawn at build: what was typed there, where one was, and what was pressed goes on.
import { flushSync } from 'react-dom'

/** What before.ts has kept: the keys that were pressed, by their place, and what somebody is in the middle of. */
export interface Prerendered {
  /** When it was shown, as `performance.now()` has it. */
  readonly since: number
  readonly pressed: number[]
  held: Promise<unknown> | null
}

declare global {
  interface Window {
    prerendered?: Prerendered
  }
}

/** As if it had been typed: the form hears it. */
function type(field: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Works with the selection of a field: browsers tell none of those for e-mail. */
function asText<T>(field: HTMLInputElement, work: () => T): T {
  const kind = field.type
  if (kind === 'email') field.type = 'text'
  const result = work()
  if (kind === 'email') field.type = kind
  return result
}

/** What somebody types into, presses, or may stand on, in its order. */
const controlsIn = (root: Element) => [...root.querySelectorAll<HTMLElement>('a, button, input')]
const kindsOf = (controls: readonly HTMLElement[]) =>
  controls.map((one) => `${one.localName} ${one.getAttribute('name')}`).join()

/** Runs `draw`, which renders into `root`, so that it all happens within one frame. */
export async function takeOver(root: HTMLElement, draw: () => void): Promise<void> {
  const { prerendered } = window
  root.hidden = false
  if (!prerendered) return draw()
  delete window.prerendered
  for (let held: Prerendered['held'] = null; held !== prerendered.held; ) {
    held = prerendered.held
    await held
  }
  const before = controlsIn(root)
  const here = before.indexOf(document.activeElement as HTMLElement)
  const field = before[here]
  const range =
    field instanceof HTMLInputElement &&
    asText(field, () => [field.selectionStart, field.selectionEnd] as const)
  const read_to = scrollY
  flushSync(draw)
  const now = controlsIn(root)
  // another page: somebody has signed in meanwhile, or this one has failed
  if (kindsOf(now) !== kindsOf(before)) return
  scrollTo({ top: read_to, behavior: 'instant' })
  // what has faded away does not come once more
  for (const one of root.getAnimations({ subtree: true }))
    one.currentTime = performance.now() - prerendered.since
  for (const [at, one] of now.entries()) {
    const old = before[at]
    if (one instanceof HTMLInputElement && old instanceof HTMLInputElement && old.value !== one.value)
      type(one, old.value)
  }
  const there = now[here]
  there?.focus({ preventScroll: true })
  if (range && there instanceof HTMLInputElement) asText(there, () => there.setSelectionRange(...range))
  const keys = now.filter((one) => one.localName === 'button')
  for (const at of prerendered.pressed) keys[at]?.click()
}
