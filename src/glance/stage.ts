// Where a page that is drawn before the application stands: it comes with its looks, presses in it wait for the application, and
// nothing of it stays.

/** Resolves when every stylesheet that the page has asked for is there: nothing is shown without its looks. */
export function dressed(): Promise<unknown> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
  return Promise.all(
    links.map(
      (link) => link.sheet ?? new Promise((done) => link.addEventListener('load', done, { once: true })),
    ),
  )
}

/** The place of what is drawn; null: the application was quicker. */
export const stage = (): HTMLElement | null =>
  document.getElementById('boot') && document.getElementById('root')

/** Runs once the application has taken the place of `drawn`. */
export function whenTaken(root: HTMLElement, drawn: HTMLElement, then: () => void): void {
  const observer = new MutationObserver(() => {
    if (drawn.isConnected) return
    observer.disconnect()
    then()
  })
  observer.observe(root, { childList: true })
}

/** So long a press waits for the application; then a link leads on by itself. */
const PATIENCE_MS = 5_000

/** What can be pressed, in both pages the same. */
const PRESSED = 'a[href], button'
const nameOf = (node: Element) =>
  [node.tagName, node.getAttribute('href'), node.getAttribute('aria-label') ?? node.textContent].join(' ')

/** A press on what is drawn is done by the application as soon as that stands: once, and the last one only. */
export function carryPresses(root: HTMLElement, drawn: HTMLElement): void {
  let pressed: { name: string; nth: number } | null = null
  const sameAs = (name: string, within: Element) =>
    [...within.querySelectorAll<HTMLElement>(PRESSED)].filter((one) => nameOf(one) === name)
  drawn.addEventListener('click', (event) => {
    const node = event.target instanceof Element && event.target.closest<HTMLElement>(PRESSED)
    const { metaKey, ctrlKey, shiftKey, altKey } = event
    if (!node || metaKey || ctrlKey || shiftKey || altKey) return
    event.preventDefault()
    const name = nameOf(node)
    pressed = { name, nth: sameAs(name, drawn).indexOf(node) }
    const href = node.getAttribute('href')
    if (href) setTimeout(() => drawn.isConnected && location.assign(href), PATIENCE_MS)
  })
  whenTaken(root, drawn, () => {
    if (pressed) sameAs(pressed.name, root)[pressed.nth]?.click()
  })
}
