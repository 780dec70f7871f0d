// What a page hears of `context-switched` (spec §4), for tests of every way in which the identity changes.
import type { Page } from '@playwright/test'

export interface Heard {
  from: string | null
  to: string | null
  stay: boolean
}

/** Every event of this page from now on, whatever it loads meanwhile. */
export async function listen(page: Page): Promise<Heard[]> {
  const heard: Heard[] = []
  await page.exposeFunction('heardSwitch', (one: Heard) => void heard.push(one))
  await page.addInitScript(() => {
    addEventListener('context-switched', (event) => {
      const { from, to, stay } = (event as CustomEvent<Heard>).detail
      const { heardSwitch } = window as unknown as { heardSwitch: (one: Heard) => void }
      heardSwitch({ from, to, stay })
    })
  })
  return heard
}
export const moved = (from: string | null, to: string | null): Heard => ({ from, to, stay: false })
export const stayed = (from: string | null, to: string | null): Heard => ({ from, to, stay: true })
