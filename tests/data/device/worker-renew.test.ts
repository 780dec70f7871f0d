// pushsubscriptionchange: the browser took the subscription away, and the worker brings a new one for the same person, or nothing.
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { readPush, savePush, saveSession } from '#data/device/session-db.ts'
import { ROOT } from '../../support/sources.ts'
import { onFreshDevice, UID } from '../support/push-worker.ts'

const { renewPush } = (await import(/* @vite-ignore */ join(ROOT, 'sw/renew-push.ts'))) as {
  renewPush(): Promise<void>
}
const SENDER = 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM'
const KEYS = { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) }

onFreshDevice()
afterEach(() => vi.unstubAllGlobals())

/** The browser subscribes; the server answers each call with `status`. Gives what was asked of both. */
function browser(status = 200) {
  const asked: { subscribed: PushSubscriptionOptionsInit[]; sent: { url: string; body: unknown }[] } = {
    subscribed: [],
    sent: [],
  }
  const endpoint = 'https://push.example/new'
  Object.assign((globalThis as unknown as { self: { registration: object } }).self.registration, {
    pushManager: {
      getSubscription: () => Promise.resolve(null),
      subscribe: (options: PushSubscriptionOptionsInit) => {
        asked.subscribed.push(options)
        return Promise.resolve({ endpoint, toJSON: () => ({ endpoint, keys: KEYS }) })
      },
    },
  })
  Object.assign(navigator, { onLine: true })
  vi.stubGlobal('fetch', async (url: string | URL | Request, init?: RequestInit) => {
    const request = new Request(url, init)
    asked.sent.push({ url: request.url, body: await request.json() })
    const error =
      status === 200 ? { success: true } : { success: false, code: 4220, msg: 'invalid', text: '格式不正確' }
    return new Response(JSON.stringify({ error, result: null }), {
      status,
      headers: { 'content-type': 'application/json' },
    })
  })
  return asked
}
const had = (uid: string) => savePush({ uid, sender: SENDER, endpoint: 'https://push.example/old' } as never)

test('a new subscription by the same sender is brought to the server, and known on the device', async () => {
  await had(UID)
  const asked = browser()
  await renewPush()
  expect(asked.subscribed).toMatchObject([{ userVisibleOnly: true }])
  expect(asked.sent).toMatchObject([
    {
      url: expect.stringMatching(/\/api\/v1\/push\/subscriptions$/),
      body: { endpoint: 'https://push.example/new', keys: KEYS },
    },
  ])
  expect(await readPush()).toMatchObject({ uid: UID, endpoint: 'https://push.example/new' })
})

test('nobody is subscribed whose device it is not: signed out, or another person', async () => {
  const asked = browser()
  await renewPush()
  await had('u2')
  await renewPush()
  expect(asked).toEqual({ subscribed: [], sent: [] })
})

test('what the server did not take is not taken for brought: the next start does it', async () => {
  await had(UID)
  await saveSession({ uid: UID, token: 'a.b.c', exp: 9_999_999_999, org_id: null, clock_offset_ms: 0 })
  browser(422)
  await expect(renewPush()).rejects.toBeDefined()
  expect((await readPush())?.endpoint).toBe('https://push.example/old')
})
