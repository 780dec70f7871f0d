// Sends what waits while no page is open: woken by the browser when the network is back (Background Sync), where there is one.
import { QUEUED } from '#contract/outbox.ts'
import { type Client, createClient } from '#data/client.ts'
import { readSession, type SessionReplica } from '#data/device/session-db.ts'
import type { TabMessage } from '#data/live/tabs.ts'
import { startDrain } from '#data/outbox/drain.ts'
import { sendsInTime } from '#data/outbox/in-time.ts'
import { openStore } from '#data/outbox/store.ts'

/** Where the tabs listen (src/data/start.ts). */
const CHANNEL = 'lingbo'

/** Tells the pages of this person, by default that something is different in the outbox (src/data/live/tabs.ts). */
export function tellPages(uid: string, message: TabMessage = { type: 'outbox' }): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage({ uid, message })
  channel.close()
}

/** Calls in the name of the session; the page owns it, the worker only reads its copy. */
export function workerClient({ uid, token, exp, org_id }: SessionReplica): Client {
  return createClient({
    base_url: location.origin,
    session: {
      token: () => token,
      uid: () => uid,
      org_id: () => org_id,
      claims: () => ({ uid, exp, sid: '', iat: 0 }),
    },
    online: () => navigator.onLine,
    now: Date.now,
    on_unauthorized() {},
    on_not_member() {},
  })
}

/** One round for the person signed in. Rejects while something is left that only time can help: the browser then comes back. */
export async function sendWaiting(): Promise<void> {
  const found = await readSession()
  if (!found) return
  const { uid, clock_offset_ms } = found
  const client = workerClient(found)
  const store = openStore(uid, Date.now)
  const { signal } = new AbortController()
  const drain = startDrain(
    {
      uid,
      store,
      signal,
      locks: navigator.locks,
      signed_in: () => true,
      online: () => navigator.onLine,
      now: () => Date.now() + clock_offset_ms,
      device_now: Date.now,
      random: Math.random,
      // nobody is at a screen: whatever is timed has waited
      call: sendsInTime({ client, calls: QUEUED, signal, just_made: () => false }),
      on_change: () => tellPages(uid),
    },
    { eager: true, forced: true },
  )
  await drain.end
  const { rows } = await store.read()
  if (rows.some(({ state }) => state === 'waiting')) throw new Error('calls still wait')
}
