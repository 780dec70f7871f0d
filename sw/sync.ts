// Sends what waits while no page is open: woken by the browser when the network is back (Background Sync), where there is one.
import { QUEUED } from '#contract/outbox.ts'
import { type Client, createClient } from '#data/client.ts'
import { deleteSession, emptyReadable, readSession, type SessionReplica } from '#data/device/session-db.ts'
import type { TabMessage } from '#data/live/tabs.ts'
import { sendsInTime, startDrain } from '#data/outbox/drain.ts'
import { openStore } from '#data/outbox/store.ts'

/** Where the tabs listen (src/data/start.ts). */
const CHANNEL = 'lingbo'

/** Tells the pages of this person, by default that something is different in the outbox (src/data/live/tabs.ts). */
export function tellPages(uid: string, message: TabMessage = { type: 'outbox' }): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage({ uid, message })
  channel.close()
}

/** Calls in the name of the session; the page owns it, the worker only reads its copy. `on_over`: the server ended it. */
export function workerClient({ uid, token, exp, org_id }: SessionReplica, on_over = () => {}): Client {
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
    on_unauthorized: on_over,
    on_not_member() {},
  })
}

/** No page need be open to find it out; what pages keep in their own storage goes at the next start. */
async function leave({ uid, token }: SessionReplica): Promise<void> {
  // somebody may have signed in meanwhile
  if ((await readSession())?.token !== token) return
  await Promise.all([deleteSession(), emptyReadable(uid)])
}

/** One round for the person signed in. Rejects while something is left that only time can help: the browser then comes back. */
export async function sendWaiting(): Promise<void> {
  const found = await readSession()
  if (!found) return
  const { uid, clock_offset_ms } = found
  let over = false
  const client = workerClient(found, () => {
    over = true
  })
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
  if (over) return leave(found)
  const { rows } = await store.read()
  if (rows.some(({ state }) => state === 'waiting')) throw new Error('calls still wait')
}
