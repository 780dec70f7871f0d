// One person with two identities for browser tests: markers of both, switching, and a watch over every frame.
import type { BrowserContext, Page } from '@playwright/test'
import { createStrategy, type StrategyInput } from '#contract/strategy.ts'
import { hookPath } from './desk.ts'
import { makeOrganization } from './organization.ts'
import { type Person, signUp } from './people.ts'
import type { TestServer } from './server.ts'
import { profileKnown } from './storages.ts'

export const OWN = '私房甲'
export const THEIRS = '海風乙'

/** A strategy with two signals; its name is the marker that must not be seen from the other identity. */
export async function strategy(
  server: TestServer,
  person: Person,
  name: string,
  org?: string,
): Promise<string> {
  const input = { kind: 'futures', name, settings: { product_code: 'MXF' } } as StrategyInput
  const made = await person.call(createStrategy, input, org ? { 'lb-org-id': org } : {})
  const path = hookPath(made)
  for (const action of ['buy', 'sell'])
    await server.request(path, {
      method: 'POST',
      body: JSON.stringify({ action, quantity: 1, price: 23_000, symbol: 'MXF', note: name }),
    })
  return made.id
}

export async function world(server: TestServer, role: 'admin' | 'member' = 'admin') {
  const person = await signUp(server, '林柏翰')
  const boss = await signUp(server, '管理者')
  const org = await makeOrganization(server.app, '海風投顧', [
    { uid: person.uid, role },
    { uid: boss.uid, role: 'admin' },
  ])
  const own = await strategy(server, person, OWN)
  return { person, boss, org, own }
}

export async function signedIn(page: Page, person: Person): Promise<void> {
  await page.addInitScript(
    ([token, uid]) => {
      if (localStorage.getItem('token') !== null || sessionStorage.getItem('came') !== null) return
      sessionStorage.setItem('came', '1')
      localStorage.setItem('token', token)
      localStorage.setItem(
        'lingbo_user',
        JSON.stringify({ id: uid, role: 'user', defaultContext: 'personal' }),
      )
    },
    [person.token, person.uid] as const,
  )
}

/** As another tab would: the stored organization is another one, and this page hears of it. Nobody goes where they are not known to belong. */
export async function switchTo(page: Page, org: string | null): Promise<void> {
  await profileKnown(page)
  await page.evaluate((id) => {
    if (id === null) localStorage.removeItem('currentOrganizationId')
    else localStorage.setItem('currentOrganizationId', id)
    dispatchEvent(new StorageEvent('storage', { key: 'currentOrganizationId', newValue: id }))
  }, org)
}

/**
 * Switches as above and watches from that very turn on, every added node and every frame: `marker` must not stand there.
 * `wanted` is timed, for those who read the log.
 */
export async function switchWatched(page: Page, org: string | null, marker: string, wanted = marker) {
  await profileKnown(page)
  await page.evaluate(
    ([id, forbidden, awaited]) => {
      const log = { frames: 0, bad: [] as string[], on: true, first_ms: 0, card_ms: 0 }
      Object.assign(window, { watched: log })
      const text = (node: Node) => {
        const fields = node instanceof Element ? [...node.querySelectorAll('input, textarea')] : []
        return node.textContent + fields.map((field) => (field as HTMLInputElement).value).join(' ')
      }
      const root = document.getElementById('root') as HTMLElement
      const start = performance.now()
      if (id === null) localStorage.removeItem('currentOrganizationId')
      else localStorage.setItem('currentOrganizationId', id)
      dispatchEvent(new StorageEvent('storage', { key: 'currentOrganizationId', newValue: id }))
      // same turn: what the page does about it has not happened yet
      new MutationObserver((records) => {
        for (const record of records)
          for (const node of record.type === 'characterData' ? [record.target] : record.addedNodes)
            if (log.on && text(node).includes(forbidden)) log.bad.push(`added: ${text(node).slice(0, 80)}`)
      }).observe(document.body, { childList: true, characterData: true, subtree: true })
      // a frame's callbacks run right before it is painted
      requestAnimationFrame(function frame() {
        log.frames++
        log.first_ms ||= performance.now() - start
        const shown = text(root)
        if (shown.includes(forbidden)) {
          log.bad.push(`frame ${log.frames}: ${location.pathname}`)
          sessionStorage.setItem('seen', String(log.bad)) // survives a full load
        }
        if (shown.includes(awaited)) log.card_ms ||= performance.now() - start
        if (log.on) requestAnimationFrame(frame)
      })
    },
    [org, marker, wanted] as const,
  )
  return () =>
    page.evaluate(() => {
      const { watched } = window as unknown as {
        watched: { frames: number; bad: string[]; on: boolean; first_ms: number; card_ms: number }
      }
      watched.on = false
      return watched
    })
}

/** The text where it can be seen: not in the choices of a closed list. */
export const shown = (page: Page, text: string) => page.getByText(text).filter({ visible: true }).first()

export async function slow(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}
export const offline = (context: BrowserContext) => context.setOffline(true)
