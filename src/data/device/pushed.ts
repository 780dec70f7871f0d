// A record that came inside a push, onto the device before anybody is told of it; for the worker, which has no Dexie.
import type { SignalRecord } from '#contract/signal.ts'
import type { Ctx } from '../context.ts'
import { opened } from './opened.ts'
import { readLeases } from './session-db.ts'

/** Whether this device may keep anything of the context, and of the strategy in it: as the page's leases say (ruling C23). */
export async function mayKeep(
  uid: string,
  ctx: Ctx,
  strategy_id: string | null,
  now_ms: number,
): Promise<boolean> {
  if (ctx === 'personal') return true
  const kept = await readLeases()
  if (kept?.uid !== uid) return false
  const until = kept.until[ctx] ?? 0
  const ends = strategy_id === null ? undefined : kept.strategies[`${ctx} ${strategy_id}`]
  return until > now_ms && (ends === undefined || ends > now_ms)
}

/** Files it as an event would (device/records.ts): only when its id is not there. On the disk when it resolves. */
export async function keepPushed(uid: string, ctx: Ctx, record: SignalRecord): Promise<void> {
  const db = await opened(uid)
  try {
    await new Promise<void>((resolve, reject) => {
      const transaction = db.transaction('signals', 'readwrite', { durability: 'strict' })
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error)
      const signals = transaction.objectStore('signals')
      const known = signals.getKey([ctx, record.id])
      known.onsuccess = () => {
        if (known.result === undefined) signals.add({ ...record, ctx })
      }
    })
  } finally {
    db.close()
  }
}
