// What stood on the open pages when a test failed: its address, what was said, its elements as a screen reader finds them.
import type { BrowserContext, Page } from '@playwright/test'
import { messages } from './heard.ts'

async function of(page: Page): Promise<string> {
  // whatever keeps a page from answering is worth knowing, too
  const elements = await page
    .locator('body')
    .ariaSnapshot({ timeout: 5_000 })
    .catch((error: Error) => error.message.split('\n')[0])
  const said = messages(page).map((message) => `said: ${message}`)
  return [page.url(), ...said, elements].join('\n')
}

/** Every open page of these contexts, the newest last. */
export async function stood(contexts: BrowserContext[]): Promise<string> {
  const pages = contexts.flatMap((context) => context.pages())
  return (await Promise.all(pages.map(of))).join('\n')
}
