// A record that came inside a push, onto the device before anybody is told of it; for the worker, which has no Dexie.
import type { SignalRecord } from '#contract/signal.ts'
import type { Ctx } from '../context.ts'
import { opened } from './opened.ts'
import { readLeases } from './session-db.ts'

/** What a push may do here: leave its record, too; be told of and leave nothing; neither. */
export type Leave = 'keep' | 'tell' | 'neither'

/**
 * As the page's leases say (ruling C23). Where a context's time is over, whoever lives by the lock screen is told all the same of
 * what the server sent after it was over: the server asks for the access before each push. Nothing of it stays on the device until
 * the app has been opened. `at_ms`: when what it tells of was there to be told; null = not known.
 */
export async function leaveFor(
  uid: string,
  { ctx, strategy_id, at_ms }: { ctx: Ctx; strategy_id: string | null; at_ms: number | null },
  now_ms: number,
): Promise<Leave> {
  if (ctx === 'personal') return 'keep'
  const kept = await readLeases()
  const until = kept?.uid === uid ? kept.until[ctx] : undefined
  if (!kept || until === undefined) return 'neither'
  const ends = strategy_id === null ? undefined : kept.strategies[`${ctx} ${strategy_id}`]
  const over = [until, ends].filter((end) => end !== undefined && end <= now_ms) as number[]
  if (over.length === 0) return 'keep'
  return at_ms !== null && over.every((end) => at_ms > end) ? 'tell' : 'neither'
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
