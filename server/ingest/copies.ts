// Which messages have been here before (ruling C7): an explicit key makes a duplicate, an equal body only a mark.
import type { Tx } from '../context.ts'
import { bulk, runBulk } from '../db/bulk.ts'
import type { DeliveryRow } from '../db/schema.ts'

const LOOK_BACK_MS = 86_400_000
/** Two equal bodies without id and time are two signals; within this span the second is marked 可能重複. */
const MARK_MS = 60_000

export interface Keyed {
  webhook_id: string
  dedupe_key: string | null
  dedupe_window_ms: number
  received_at: string
}

export interface Copy {
  kind: 'duplicate' | 'possible'
  delivery_id: string
  signal_id: string
}

interface Seen {
  delivery_id: string
  signal_id: string
  at_ms: number
}

type Earlier = Pick<DeliveryRow, 'id' | 'webhook_id' | 'dedupe_key' | 'signal_id' | 'received_at'>

/** Each key at its own webhook: asking for all keys at all webhooks would look at every pair of them. */
const EARLIER = bulk(
  { webhook_id: 'text', dedupe_key: 'text', since: 'text' },
  (source) =>
    `select d.id, d.webhook_id, d.dedupe_key, d.signal_id, d.received_at from ${source} as v
    join deliveries as d on d.webhook_id = v.webhook_id and d.dedupe_key = v.dedupe_key and d.received_at >= v.since
    where d.outcome in ('accepted', 'late') and d.test = 0`,
)

/** What made a signal before, by webhook and key; grows as the batch goes on, so that twins in one batch see each other. */
export class Copies {
  readonly #seen = new Map<string, Seen>()

  /** Reads the earlier deliveries with one of the batch's keys in one query. */
  static async of(tx: Tx, batch: readonly Keyed[]): Promise<Copies> {
    const copies = new Copies()
    if (batch.length === 0) return copies
    const since = new Date(
      Math.min(...batch.map((one) => Date.parse(one.received_at))) - LOOK_BACK_MS,
    ).toISOString()
    const keys = new Map<string, { webhook_id: string; dedupe_key: string; since: string }>()
    for (const { webhook_id, dedupe_key } of batch)
      if (dedupe_key !== null) keys.set(`${webhook_id} ${dedupe_key}`, { webhook_id, dedupe_key, since })
    const rows = await runBulk<'webhook_id' | 'dedupe_key' | 'since', Earlier>(tx.db, EARLIER, [
      ...keys.values(),
    ])
    // The newest of equal keys counts.
    rows.sort((a, b) => Date.parse(a.received_at) - Date.parse(b.received_at))
    for (const row of rows) {
      if (row.signal_id === null || row.dedupe_key === null) continue
      const seen = { delivery_id: row.id, signal_id: row.signal_id, at_ms: Date.parse(row.received_at) }
      copies.#seen.set(`${row.webhook_id} ${row.dedupe_key}`, seen)
    }
    return copies
  }

  /** What this message is a copy of, or null. */
  find(one: Keyed): Copy | null {
    const seen = one.dedupe_key === null ? undefined : this.#seen.get(`${one.webhook_id} ${one.dedupe_key}`)
    if (!seen) return null
    const age = Math.abs(Date.parse(one.received_at) - seen.at_ms)
    if (age > (one.dedupe_window_ms || MARK_MS)) return null
    return { kind: one.dedupe_window_ms > 0 ? 'duplicate' : 'possible', ...seen }
  }

  /** Notes that this message made a signal. */
  add(one: Keyed, delivery_id: string, signal_id: string): void {
    if (one.dedupe_key === null) return
    const seen = { delivery_id, signal_id, at_ms: Date.parse(one.received_at) }
    this.#seen.set(`${one.webhook_id} ${one.dedupe_key}`, seen)
  }
}
