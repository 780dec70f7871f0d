// What a page says to a person: its visible words, and those that only a screen reader says; nothing of messages and code.
import type { Page } from '@playwright/test'

/** One piece a line. Text in `pre`, `code` and fields is a message's or the person's own, not the product's. */
export function wordsShown(page: Page): Promise<string> {
  return page.evaluate(() => {
    const said: string[] = []
    const quoted = 'pre, code, textarea, input, script, style, svg, template'
    for (const element of document.querySelectorAll('body, body *')) {
      if (element.closest(quoted) || !element.checkVisibility({ visibilityProperty: true })) continue
      for (const node of element.childNodes)
        if (node instanceof Text && node.data.trim() !== '') said.push(node.data.trim())
    }
    for (const element of document.querySelectorAll(
      'body [aria-label], body [title], body [placeholder], body [alt]',
    ))
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
        const text = element.getAttribute(name)
        if (text) said.push(text)
      }
    said.push(document.title)
    return said.join('\n')
  })
}
