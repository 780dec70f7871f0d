// The worker with a push, on a device of a test: what it shows, tells and keeps is written down.
import 'fake-indexeddb/auto'
import { join } from 'node:path'
import { afterEach, beforeEach, vi } from 'vitest'
import { openDatabase } from '#data/device/db.ts'
import { saveSession } from '#data/device/session-db.ts'
import { ROOT } from '../../support/sources.ts'
import { record } from './backend.ts'

/** By path: the worker is checked against a worker's types, this file is not. */
export const { receivePush, openShown } = (await import(/* @vite-ignore */ join(ROOT, 'sw/push.ts'))) as {
  receivePush(event: object): Promise<void>
  openShown(event: object): Promise<void>
}
export const UID = 'u1'
export const ORG = 'org:0197a1b2-0000-7000-8000-00000000000a'
export const ORIGIN = 'https://lingbo.example'

interface Shown {
  title: string
  options: NotificationOptions & { renotify?: boolean; data?: { count?: number; url?: string } }
}
const fresh = () => ({
  shown: [] as Shown[],
  /** To the pages. */
  posted: [] as unknown[],
  badge: null as number | null,
  /** How often the device rang. */
  alarms: 0,
  windows: [] as { visibilityState: string; url?: string }[],
  opened: [] as string[],
  /** `kept` when records are on the disk, `shown` when the browser is asked to show. */
  order: [] as ('kept' | 'shown')[],
  /** The browser lets nothing be shown. */
  refuses: false,
})
/** What happened since the test began, and how the browser is. */
export const scene = fresh()

/** A disk that takes its time for records; what it has taken is noted. */
function noteKept(): void {
  const { transaction } = IDBDatabase.prototype
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (
    this: IDBDatabase,
    ...given: Parameters<typeof transaction>
  ) {
    const made = transaction.apply(this, given)
    if (given[0] !== 'signals' || given[1] !== 'readwrite') return made
    made.addEventListener('complete', () => scene.order.push('kept'))
    const store = made.objectStore('signals')
    const slow = (left: number) => {
      store.count().onsuccess = () => left > 0 && slow(left - 1)
    }
    slow(200)
    return made
  })
}

/** Before and after each test of the file. */
export function onFreshDevice(): void {
  beforeEach(async () => {
    Object.assign(scene, fresh())
    vi.stubGlobal('location', { origin: ORIGIN })
    vi.stubGlobal('self', {
      location: { origin: ORIGIN },
      clients: {
        matchAll: () => Promise.resolve(scene.windows.map((one) => ({ url: `${ORIGIN}/dashboard`, ...one }))),
        openWindow: (href: string) => Promise.resolve(scene.opened.push(href)),
      },
      registration: {
        getNotifications: ({ tag }: { tag?: string } = {}) =>
          Promise.resolve(
            scene.shown
              .filter(({ options }) => tag === undefined || options.tag === tag)
              .map(({ options }) => ({
                ...options,
                close: () => {
                  scene.shown = scene.shown.filter((one) => one.options !== options)
                },
              })),
          ),
        async showNotification(title: string, options: Shown['options']) {
          // It is another process that shows: what is asked meanwhile does not see it yet.
          await new Promise((next) => setTimeout(next, 20))
          if (scene.refuses)
            throw new TypeError('No notification permission has been granted for this origin.')
          scene.order.push('shown')
          if (options.silent !== true) scene.alarms++
          scene.shown = [...scene.shown.filter((one) => one.options.tag !== options.tag), { title, options }]
        },
      },
    })
    vi.stubGlobal('navigator', {
      onLine: false,
      setAppBadge: async (count: number) => {
        scene.badge = count
      },
      locks: navigator.locks,
    })
    vi.stubGlobal(
      'BroadcastChannel',
      class {
        postMessage(message: unknown) {
          scene.posted.push(message)
        }
        close() {}
      },
    )
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    ;(await openDatabase(UID)).close()
    await signIn(UID)
    noteKept()
  })
  afterEach(async () => {
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
    for (const { name = '' } of await indexedDB.databases()) {
      await new Promise((done, fail) => {
        const request = indexedDB.deleteDatabase(name)
        request.onsuccess = done
        request.onerror = fail
      })
    }
  })
}

const signIn = (uid: string) =>
  saveSession({ uid, token: 'a.b.c', exp: 9_999_999_999, org_id: null, clock_offset_ms: 0 })

export async function onDevice<T>(
  read: (db: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>,
): Promise<T> {
  const db = await openDatabase(UID)
  try {
    return await read(db)
  } finally {
    db.close()
  }
}
export const records = (): Promise<{ id: string; ctx: string }[]> => onDevice((db) => db.signals.toArray())
export const receipts = () => onDevice(async (db) => (await db.outbox.toArray()).map(({ body }) => body))

let count = 0
/** The id of the last message. */
export const lastDelivery = () => `d${count}`
export const message = (more: Record<string, unknown> = {}, lingbo: Record<string, unknown> = {}) => ({
  web_push: 8030,
  notification: {
    title: '台指突破 · 多單進場',
    body: '小型臺指 1 口 @ 20,001',
    navigate: `https://elsewhere.example/signals?signal=${record(1).id}&org=personal`,
    lang: 'zh-Hant',
    tag: 'strategy:s1',
  },
  app_badge: 3,
  mutable: true,
  ...more,
  lingbo: {
    ...{ v: 1, uid: UID, ctx: 'personal', notification_id: 'n1', delivery_id: `d${++count}`, kind: 'signal' },
    record: record(1),
    ...lingbo,
  },
})
export const arrives = (data: unknown) =>
  receivePush({ data: { json: () => (typeof data === 'string' ? JSON.parse(data) : data) } })
