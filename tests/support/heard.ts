// Every message that stood on a page, remembered: a toast goes after five seconds, and a busy machine may look later than that.
import { type BrowserContext, expect, type Page, test } from '@playwright/test'

/** Toasts, the error list, the words for screen readers. */
const MESSAGES = '.toaster, .toast, .error-list-err, #announce'

interface Heard {
  text: string
  /** A toast or a line of the error list; not what only a screen reader says. */
  seen: boolean
}
const kept = new WeakMap<BrowserContext, Map<Page, Heard[]>>()

/**
 * From the next document on, the pages of this context tell what they say. Nothing of it is stored in the browser, where
 * tests look for what was left. The contexts of the shared fixtures (tests/support/app.ts) do this by themselves.
 */
export async function hears(context: BrowserContext): Promise<void> {
  if (kept.has(context)) return
  const pages = new Map<Page, Heard[]>()
  kept.set(context, pages)
  await context.exposeBinding('heardByTest', ({ page }, one: Heard) => {
    const before = pages.get(page)
    if (before) before.push(one)
    else pages.set(page, [one])
  })
  await context.addInitScript((messages) => {
    const { heardByTest } = window as unknown as { heardByTest(one: Heard): Promise<void> }
    const last = new WeakMap<Element, string>()
    const tell = (one: Element) => {
      const text = one.textContent.trim()
      if (last.get(one) === text || (text !== '' && !one.checkVisibility())) return
      last.set(one, text)
      if (text !== '') void heardByTest({ text, seen: one.id !== 'announce' })
    }
    new MutationObserver((records) => {
      for (const { target, addedNodes } of records) {
        const around = (target instanceof Element ? target : target.parentElement)?.closest(messages)
        if (around) tell(around)
        for (const node of addedNodes) {
          if (!(node instanceof Element)) continue
          if (node.matches(messages)) tell(node)
          for (const one of node.querySelectorAll(messages)) tell(one)
        }
      }
    }).observe(document, { childList: true, characterData: true, subtree: true })
  }, MESSAGES)
}

function of(page: Page): Heard[] {
  const pages = kept.get(page.context())
  if (!pages) throw new Error('nobody listens to this context: hears(context) comes before its pages')
  const list = pages.get(page) ?? []
  pages.set(page, list)
  return list
}

/** What could be read on this page so far, each message with its title and text joined. */
export const messages = (page: Page): string[] => of(page).flatMap(({ text, seen }) => (seen ? [text] : []))

type Words = [string | RegExp, ...(string | RegExp)[]]

function waited(page: Page, words: Words, counts: (one: Heard) => boolean): Promise<void> {
  const has = ({ text }: Heard) =>
    words.every((one) => (typeof one === 'string' ? text.includes(one) : one.test(text)))
  const all = () => of(page).filter(counts)
  // a failure names the line of the test, and what was said instead
  const wait = () => expect.poll(() => all().some(has) || all().map(({ text }) => text)).toBe(true)
  return test.step(`said: ${words.join(' + ')}`, wait, { box: true })
}

/** Waits until one message with all these words stands there, or has stood there since `unheard`; a pattern is tried on the whole. */
export const said = (page: Page, ...words: Words): Promise<void> => waited(page, words, ({ seen }) => seen)

/** The same for what only a screen reader hears. */
export const announced = (page: Page, ...words: Words): Promise<void> =>
  waited(page, words, ({ seen }) => !seen)

/** What was said until now does not count any more: before words that the page may have said already. */
export function unheard(page: Page): void {
  of(page).length = 0
}
