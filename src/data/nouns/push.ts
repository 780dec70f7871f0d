// Pushes: the devices of the person, and this one: how it stands, turning it on from a tap, and the look at every start.
import { hashKey, type InfiniteData, type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  deletePushSubscription,
  getPushKey,
  listPushSubscriptions,
  subscribePush,
  testPush,
  unsubscribePush,
} from '#contract/binding.ts'
import type { InputOf, OutputOf } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import type { SignalNotification } from '#contract/notification.ts'
import { askAgain, getData, write } from '../current.ts'
import {
  askPermission,
  closeShown,
  dropSubscription,
  findRegistration,
  partsOf,
  permission,
  pushAbility,
  senderOf,
  subscribedTo,
  turnedOn,
} from '../device/push.ts'
import { readPush, savePush } from '../device/session-db.ts'
import { keys } from '../keys.ts'

export const pushQueries = {
  /** Devices that take pushes; never kept on the device. */
  devices: () =>
    queryOptions({
      queryKey: keys.person.push_devices,
      queryFn: ({ signal }) => getData().client.call(listPushSubscriptions, {}, { signal }),
      meta: { keep: false },
    }),
}

export const pushMutations = {
  remove: () =>
    write(
      (input: InputOf<typeof deletePushSubscription>) => getData().client.call(deletePushSubscription, input),
      () => {
        void askAgain(keys.person.push_devices)
        void pushHere.look()
      },
    ),
  test: () => write(() => getData().client.call(testPush, {})),
}

/**
 * How pushes stand on this device. `default`: the person was never asked; `denied`: the browser must be told otherwise in its own
 * settings; `off`: allowed, not turned on; `other_key`: it was on, but the server has another key: it has to be turned on again;
 * `lost`: it was on, and the browser, its push service or the person took it away.
 */
export type PushState =
  | 'checking'
  | 'unsupported'
  | 'needs_install'
  | 'denied'
  | 'default'
  | 'off'
  | 'on'
  | 'other_key'
  | 'lost'

export interface PushSnapshot {
  readonly state: PushState
  /** Being turned on or off. */
  readonly busy: boolean
  /** Why the last try did not work, for the person; null = it did. */
  readonly problem: string | null
  /** What the server had said of the devices when this one was brought to it: of this one it counts no more. */
  readonly past?: Devices | undefined
}

type Devices = OutputOf<typeof listPushSubscriptions>

/** By the browser and by the server: on is only what both say. While the server is asked again, what it said last holds. */
export function standsBy({ state, past }: PushSnapshot, devices: Devices | undefined): PushState {
  if (state !== 'on' || devices === undefined || devices === past) return state
  return devices.some((one) => one.is_this_session && one.state === 'ok') ? 'on' : 'lost'
}

let snapshot: PushSnapshot = { state: 'checking', busy: false, problem: null }
const listeners = new Set<() => void>()
function set(change: Partial<PushSnapshot>): void {
  snapshot = { ...snapshot, ...change }
  for (const listener of [...listeners]) listener()
}

/** Asked, refused, or the state that the browser's answer leaves. */
function stateWithout(): PushState {
  const said = permission()
  return said === 'granted' ? 'off' : said
}

/**
 * Subscribes for the server's key and tells the server; the person signed in is its owner from now on. `again`: nobody turned it
 * on just now; 4040 where the person took this device away, from here or another one.
 */
async function bring(uid: string, how: { device_label?: string; again?: true }): Promise<void> {
  const { client } = getData()
  const { key } = await client.call(getPushKey, {})
  const tell = async () => {
    const subscription = await subscribedTo(key)
    const { state } = await client.call(subscribePush, { ...partsOf(subscription), ...how })
    return { subscription, state }
  }
  let { subscription, state } = await tell()
  if (state === 'gone') {
    // Its push service takes nothing for it any more, and the browser does not know: another one.
    await subscription.unsubscribe()
    subscription = (await tell()).subscription
  }
  await savePush({ uid, endpoint: subscription.endpoint, sender: key })
  set({ past: getData().query.getQueryData<Devices>(keys.person.push_devices) })
  void askAgain(keys.person.push_devices)
}

/** How it stands for this person, without asking the server. */
async function standing(uid: string): Promise<PushState> {
  const ability = pushAbility()
  if (ability !== 'able') return ability
  const [kept, registration] = await Promise.all([readPush(), findRegistration()])
  const found = (await registration?.pushManager.getSubscription()) ?? null
  if (kept?.uid !== uid) {
    // Whoever was here before keeps nothing on this device (threat T25).
    if (found || kept) await dropSubscription()
    return stateWithout()
  }
  if (permission() !== 'granted') {
    await dropSubscription()
    return stateWithout()
  }
  if (!found) return 'lost'
  return senderOf(found) === kept.sender ? 'on' : 'other_key'
}

/** What the person is told when turning it on did not work. */
function wordsOf(error: unknown): string {
  if (error instanceof ApiError) return error.details.fields?.['endpoint'] ?? error.text
  if (error instanceof DOMException && error.name === 'NotAllowedError')
    return '瀏覽器沒有允許通知，請在瀏覽器的網站設定裡允許後再試一次'
  if (error instanceof DOMException) return '這個瀏覽器連不到它的推播服務，請換一個網路或瀏覽器再試一次'
  return '現在無法開啟推播，請確認網路後再試一次'
}

async function busily(work: () => Promise<void>): Promise<void> {
  if (snapshot.busy) return
  set({ busy: true, problem: null })
  try {
    await work()
  } catch (error) {
    set({ problem: wordsOf(error) })
  } finally {
    set({ busy: false })
  }
}

/** This device, for `useSyncExternalStore`; `src/screen/PushDevices.tsx` wraps it. Nothing of it rejects. */
export const pushHere = {
  getSnapshot: () => snapshot,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  /** Looks anew; `and_bring`: subscriptions vanish in practice (pwa.md §3.5), so at every start it is brought to the server again. */
  async look({ and_bring = false } = {}): Promise<void> {
    // Half turned on, it would be taken for what somebody else left here.
    if (snapshot.busy) return
    const uid = getData().session.uid()
    if (uid === null) return set({ state: 'checking', problem: null })
    try {
      const state = await standing(uid)
      // What is being turned on or off meanwhile says itself how it ends.
      if (snapshot.busy) return
      set({ state })
      if (and_bring && ['on', 'other_key', 'lost'].includes(state)) {
        await bring(uid, { again: true })
        set({ state: 'on' })
      }
    } catch (error) {
      if (error instanceof ApiError && error.code === 4040) {
        await dropSubscription()
        return set({ state: stateWithout() })
      }
      // Offline, or the device's storage is closed: the next start looks again.
      console.warn('push', error)
      if (snapshot.state === 'checking' && !snapshot.busy) set({ state: stateWithout() })
    }
  },
  /** From a tap only. */
  enable: (device_label?: string): Promise<void> =>
    busily(async () => {
      const uid = getData().session.uid()
      if (uid === null || pushAbility() !== 'able') return
      if ((await askPermission()) === 'granted') {
        await bring(uid, device_label === undefined ? {} : { device_label })
        set({ state: 'on' })
        turnedOn()
      } else set({ state: stateWithout() })
    }),
  disable: (): Promise<void> =>
    busily(async () => {
      const endpoint = await dropSubscription()
      set({ state: stateWithout() })
      if (endpoint !== null) await getData().client.call(unsubscribePush, { endpoint })
      void askAgain(keys.person.push_devices)
    }),
}

type Inbox = InfiniteData<{ items: readonly SignalNotification[]; unread_count: number }>

/** Whoever is signed in here: brings the subscription once where it is not `brought`, and closes what was read, here or elsewhere. Gives what ends it. */
export function followPushes(query: QueryClient, brought = false): () => void {
  if (!brought) void pushHere.look({ and_bring: true })
  const told = [keys.person.inbox, keys.person.signals]
  const hashes = told.map((key) => hashKey(key))
  const close = () => {
    const pages = told.flatMap((key) => query.getQueryData<Inbox>(key)?.pages ?? [])
    if (pages.length === 0) return
    const read = new Set(
      pages.flatMap(({ items }) => items.flatMap(({ id, read_at }) => (read_at === null ? [] : [id]))),
    )
    const nothing = pages.every(({ unread_count }) => unread_count === 0)
    closeShown(
      ({ notification_id }) => nothing || (notification_id !== null && read.has(notification_id)),
    ).catch((error: unknown) => console.warn('push', error))
  }
  close()
  return query.getQueryCache().subscribe(({ type, query: { queryHash } }) => {
    if (type === 'updated' && hashes.includes(queryHash)) close()
  })
}
