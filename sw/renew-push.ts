// The browser took the subscription away and may have given another: it is made again for the same person and brought to the server.
import { newKey } from '#data/client.ts'
import { partsOf, subscribedTo } from '#data/device/push.ts'
import { readPush, readSession, savePush } from '#data/device/session-db.ts'
import { workerClient } from './sync.ts'

declare const self: ServiceWorkerGlobalScope

/** `subscribePush` of contract/binding.ts without its schemas, which would not fit into the worker. */
const SUBSCRIBE = {
  name: 'push.subscribe',
  method: 'POST',
  path: '/push/subscriptions',
  who: 'login',
  when_offline: 'fail',
} as const

/** Rejects when it could not be brought: the next start of the app does it. */
export async function renewPush(): Promise<void> {
  const [kept, session] = await Promise.all([readPush(), readSession()])
  if (kept === null || kept.uid !== session?.uid) return
  const subscription = await subscribedTo(kept.sender, self.registration)
  await workerClient(session).send(
    SUBSCRIBE,
    { ...partsOf(subscription), again: true },
    { idempotency_key: newKey(Date.now()) },
  )
  await savePush({ ...kept, endpoint: subscription.endpoint })
}
