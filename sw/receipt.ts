// What this device did with a notification, into the outbox: offline it waits there, else it goes at once.
import { QUEUED, type QueuedCall } from '#contract/outbox.ts'
import { newKey } from '#data/client.ts'
import type { SessionReplica } from '#data/device/session-db.ts'
import { added, draft, openStore } from '#data/outbox/store.ts'
import { sendWaiting, tellPages } from './sync.ts'

declare const self: ServiceWorkerGlobalScope

const NAME = 'signal.receipts'
const call = QUEUED[NAME] as QueuedCall

export interface DeviceReceipt {
  channel: 'push'
  delivery_id: string
  signal_id?: string
  shown_at?: string
  opened_at?: string
}

/** Never rejects: a receipt is worth less than what was shown. */
export async function queueReceipt(
  { uid, org_id, clock_offset_ms }: SessionReplica,
  receipt: DeviceReceipt,
): Promise<void> {
  try {
    const now = Date.now()
    const row = draft(
      { name: NAME },
      call,
      { items: [receipt] },
      { label: call.label },
      { uid, org_id, now: now + clock_offset_ms, key: newKey(now) },
    )
    await openStore(uid, Date.now).change((rows) => added(rows, row, call))
    tellPages(uid)
    await sendWaiting()
  } catch (error) {
    // Kept, or not keepable: where there is Background Sync the browser comes back, else the next page that opens sends it.
    console.warn('receipt', error)
    const { sync } = self.registration as { sync?: { register(tag: string): Promise<void> } }
    await sync?.register('lingbo-outbox').catch(() => undefined)
  }
}
