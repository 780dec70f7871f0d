// Pushes on this device: how they stand, turning them on from a tap, the look at every start, whose they are, what was read.
import 'fake-indexeddb/auto'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { type Data, setData } from '#data/current.ts'
import { bytesOf, leavePushes, onTurnedOn } from '#data/device/push.ts'
import { deleteSession, readPush, savePush } from '#data/device/session-db.ts'
import { keys } from '#data/keys.ts'
import { followPushes, pushHere, standsBy } from '#data/nouns/push.ts'

const KEY = `B${'A'.repeat(86)}`
const OTHER_KEY = `B${'C'.repeat(86)}`

/** A subscription as the browser holds it. */
interface Held {
  endpoint: string
  options: { applicationServerKey: ArrayBuffer }
  unsubscribe(): Promise<boolean>
  toJSON(): object
}
let held: Held | null
let said: NotificationPermission
let answers: NotificationPermission
let calls: [name: string, input: unknown][]
let server_key: string
let refuses: unknown
let uid: string
let shown: { data: { notification_id: string | null }; closed: boolean }[]
let query: QueryClient
let made: number
/** Endpoints that the server knows as given up. */
let gone: string[]
/** The person took this device away on another one. */
let removed: boolean

const subscription = (key: string): Held => ({
  endpoint: `https://push.example/${++made}`,
  options: { applicationServerKey: bytesOf(key).buffer },
  async unsubscribe() {
    held = null
    return true
  },
  toJSON() {
    return { endpoint: this.endpoint, keys: { p256dh: 'p', auth: 'a' } }
  },
})
const registration = {
  pushManager: {
    getSubscription: () => Promise.resolve(held),
    async subscribe({ applicationServerKey }: { applicationServerKey: Uint8Array }) {
      if (refuses) throw refuses
      held = subscription(Buffer.from(applicationServerKey).toString('base64url'))
      return held
    },
  },
  getNotifications: async () =>
    shown
      .filter(({ closed }) => !closed)
      .map((one) => ({
        data: one.data,
        close() {
          one.closed = true
        },
      })),
}

beforeEach(() => {
  held = null
  said = 'default'
  answers = 'granted'
  calls = []
  server_key = KEY
  refuses = null
  uid = 'u1'
  shown = []
  made = 0
  gone = []
  removed = false
  query = new QueryClient()
  vi.stubGlobal('PushManager', class {})
  vi.stubGlobal('Notification', {
    get permission() {
      return said
    },
    async requestPermission() {
      said = answers
      return said
    },
  })
  vi.stubGlobal('navigator', {
    userAgent: 'x',
    platform: 'x',
    serviceWorker: {
      ready: Promise.resolve(registration),
      getRegistration: () => Promise.resolve(registration),
    },
  })
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  setData({
    query,
    session: { uid: () => uid },
    client: {
      async call({ name }: Endpoint, input: unknown) {
        calls.push([name, input])
        const { endpoint = '', again } = (input ?? {}) as { endpoint?: string; again?: true }
        if (removed && again) throw new ApiError(4040)
        return name === 'push.key' ? { key: server_key } : { state: gone.includes(endpoint) ? 'gone' : 'ok' }
      },
    },
  } as unknown as Data)
})
afterEach(async () => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  await deleteSession()
})
const names = () => calls.map(([name]) => name)
const state = () => pushHere.getSnapshot().state

test('a tap asks the person, subscribes for the server’s key and tells the server', async () => {
  await pushHere.look()
  expect(state()).toBe('default')
  await pushHere.enable('我的手機')
  expect(pushHere.getSnapshot()).toEqual({ state: 'on', busy: false, problem: null })
  expect(calls.at(-1)).toEqual([
    'push.subscribe',
    { endpoint: held?.endpoint, keys: { p256dh: 'p', auth: 'a' }, device_label: '我的手機' },
  ])
  expect(await readPush()).toEqual({ uid: 'u1', endpoint: held?.endpoint, sender: KEY })
  const { endpoint } = held as unknown as Held
  await pushHere.disable()
  expect(calls.at(-1)).toEqual(['push.unsubscribe', { endpoint }])
  expect([state(), held, await readPush()]).toEqual(['off', null, null])
})

test('turned on during a visit, what follows pushes begins at once; not turned on, it does not', async () => {
  const began = vi.fn()
  const end = onTurnedOn(began)
  answers = 'denied'
  await pushHere.enable()
  expect(began).not.toHaveBeenCalled()
  answers = 'granted'
  await pushHere.enable()
  expect(began).toHaveBeenCalledTimes(1)
  end()
  await pushHere.disable()
  await pushHere.enable()
  expect(began).toHaveBeenCalledTimes(1)
})

test('a look while it is being turned on takes nothing for somebody else’s', async () => {
  const turning = pushHere.enable()
  await Promise.all([turning, pushHere.look(), pushHere.look({ and_bring: true })])
  expect(state()).toBe('on')
  expect(names().filter((name) => name === 'push.subscribe')).toHaveLength(1)
  expect(held).not.toBeNull()
})

test('who says no, or whose browser reaches no push service, is told what to do', async () => {
  answers = 'denied'
  await pushHere.enable()
  expect(state()).toBe('denied')
  expect(names()).toEqual([])
  answers = 'granted'
  refuses = new DOMException('Registration failed', 'AbortError')
  await pushHere.enable()
  expect(pushHere.getSnapshot()).toMatchObject({ busy: false, problem: expect.stringContaining('推播服務') })
  refuses = new ApiError(4220, { fields: { endpoint: '位址不允許' } })
  await pushHere.enable()
  expect(pushHere.getSnapshot().problem).toBe('位址不允許')
})

test('without workers there is nothing; on iOS it has to be installed first', async () => {
  vi.stubGlobal('PushManager', undefined)
  Reflect.deleteProperty(globalThis, 'PushManager')
  await pushHere.look()
  expect(state()).toBe('unsupported')
  vi.stubGlobal('navigator', { userAgent: 'iPhone', platform: 'iPhone' })
  await pushHere.look()
  expect(state()).toBe('needs_install')
})

test('at every start it is brought again; one that vanished, or of another key, is made anew', async () => {
  said = 'granted'
  await savePush({ uid, endpoint: 'https://push.example/old', sender: KEY })
  await pushHere.look({ and_bring: true })
  expect(names()).toEqual(['push.key', 'push.subscribe'])
  const first = held?.endpoint
  await pushHere.look({ and_bring: true })
  expect(held?.endpoint).toBe(first)
  server_key = OTHER_KEY
  await pushHere.look({ and_bring: true })
  expect(held?.endpoint).not.toBe(first)
  expect(await readPush()).toMatchObject({ sender: OTHER_KEY, endpoint: held?.endpoint })
  expect(state()).toBe('on')
})

test('one that was taken away on another device stays away at a start, until a press', async () => {
  await pushHere.enable()
  removed = true
  await pushHere.look({ and_bring: true })
  expect([state(), held, await readPush()]).toEqual(['off', null, null])
  await pushHere.look({ and_bring: true })
  expect(state()).toBe('off')
  await pushHere.enable()
  expect([state(), held?.endpoint]).toEqual(['on', (await readPush())?.endpoint])
})

test('one that vanished and cannot be made anew is not said to be on; a press makes it', async () => {
  said = 'granted'
  await savePush({ uid, endpoint: 'https://push.example/old', sender: KEY })
  refuses = new DOMException('Registration failed', 'AbortError')
  await pushHere.look({ and_bring: true })
  expect(state()).toBe('lost')
  refuses = null
  await pushHere.enable()
  expect([state(), held?.endpoint]).toEqual(['on', (await readPush())?.endpoint])
})

test('one that its push service has given up is made anew: by a press, and at a start', async () => {
  await pushHere.enable()
  for (const again of [() => pushHere.enable(), () => pushHere.look({ and_bring: true })]) {
    const given_up = held?.endpoint as string
    gone.push(given_up)
    await again()
    expect(held?.endpoint).not.toBe(given_up)
    expect(calls.at(-1)).toMatchObject(['push.subscribe', { endpoint: held?.endpoint }])
    expect([state(), (await readPush())?.endpoint]).toEqual(['on', held?.endpoint])
  }
})

test('on is what the server says, too; while it is asked again its last word holds, but not one of before the press', async () => {
  const devices = (state: 'ok' | 'gone') => [{ id: 'd1', is_this_session: true, state }] as never
  const stands = () => standsBy(pushHere.getSnapshot(), query.getQueryData(keys.person.push_devices))
  await pushHere.enable()
  expect(stands()).toBe('on')
  query.setQueryData(keys.person.push_devices, devices('gone'))
  expect(stands()).toBe('lost')
  const asked = query.fetchQuery({ queryKey: keys.person.push_devices, queryFn: () => devices('gone') })
  expect(stands()).toBe('lost')
  await asked
  expect(stands()).toBe('lost')
  await pushHere.enable()
  expect(stands()).toBe('on')
  query.setQueryData(keys.person.push_devices, devices('ok'))
  expect(stands()).toBe('on')
  query.setQueryData(keys.person.push_devices, devices('gone'))
  expect(stands()).toBe('lost')
})

test('what another person left on the device is taken off, and never brought in one’s own name', async () => {
  said = 'granted'
  held = subscription(KEY)
  await savePush({ uid: 'u2', endpoint: held.endpoint, sender: KEY })
  await pushHere.look({ and_bring: true })
  expect([state(), held, await readPush(), names()]).toEqual(['off', null, null, []])
  held = subscription(KEY)
  await pushHere.look({ and_bring: true })
  expect([held, names()]).toEqual([null, []])
})

test('permission taken away in the browser ends it', async () => {
  said = 'denied'
  held = subscription(KEY)
  await savePush({ uid, endpoint: held.endpoint, sender: KEY })
  await pushHere.look({ and_bring: true })
  expect([state(), held, await readPush()]).toEqual(['denied', null, null])
})

test('leaving takes the subscription and what is shown along', async () => {
  held = subscription(KEY)
  shown = [{ data: { notification_id: 'n1' }, closed: false }]
  await leavePushes()
  expect(held).toBeNull()
  expect(shown[0]?.closed).toBe(true)
})

test('what was read, here or elsewhere, is closed', async () => {
  shown = ['a', 'b', null].map((notification_id) => ({ data: { notification_id }, closed: false }))
  const page = (read: readonly string[], unread_count: number) => ({
    pages: [
      {
        items: ['a', 'b'].map((id) => ({ id, read_at: read.includes(id) ? 'at' : null })),
        unread_count,
      },
    ],
    pageParams: [null],
  })
  const closed = () => shown.map((one) => one.closed)
  const stop = followPushes(query)
  query.setQueryData(keys.person.inbox, page(['a'], 1))
  await expect.poll(closed).toEqual([true, false, false])
  query.setQueryData(keys.person.inbox, page(['a', 'b'], 0))
  await expect.poll(closed).toEqual([true, true, true])
  stop()
  // the look of its beginning is over, too
  await pushHere.look()
})
