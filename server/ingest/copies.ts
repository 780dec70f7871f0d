// Which messages have been here before (rulings C7, C39): an explicit key with an equal body makes a duplicate, with another body a
// signal that says so; an equal body alone is only a mark.
import type { Flag } from '#trading/record.ts'
import type { Tx } from '../context.ts'
import { bulk, runBulk } from '../db/bulk.ts'
import type { DeliveryRow } from '../db/schema.ts'
import { EACH } from '../db/sqlite.ts'
import { trimmedHash } from './judge.ts'

const LOOK_BACK_MS = 86_400_000
/** Two equal bodies without id and time are two signals; within this span the second is marked 可能重複. */
const MARK_MS = 60_000

export interface Keyed {
  webhook_id: string
  dedupe_key: string | null
  dedupe_window_ms: number
  dedupe_body: string | null
  received_at: string
}

/** `duplicate` is no further signal; of the others the signal is flagged. */
export type Copy = ({ kind: 'duplicate' } | { kind: 'signal'; flag: Flag }) & Seen

interface Seen {
  delivery_id: string
  signal_id: string
  at_ms: number
  /** Null until somebody asks, where the body is at hand. */
  body_hash: string | null
  body: string | null
}

type Earlier = Pick<DeliveryRow, 'id' | 'webhook_id' | 'dedupe_key' | 'signal_id' | 'received_at' | 'body'>

const KEY = 'd.webhook_id = v.webhook_id and d.dedupe_key = v.dedupe_key and d.received_at >= v.since'
const earlier = (from: (table: string) => string, source: string) =>
  `with v as ${source}
  select d.delivery_id as id, d.webhook_id, d.dedupe_key, d.id as signal_id, d.received_at, d.body ${from('signals')}
  union all
  select d.id, d.webhook_id, d.dedupe_key, d.signal_id, d.received_at, d.body ${from('messages')}
    where d.outcome in ('accepted', 'late') and d.test = 0`
const asked = bulk({ webhook_id: 'text', dedupe_key: 'text', since: 'text' }, (source) => source)
/**
 * Each key at its own webhook: asking for all keys at all webhooks would look at every pair of them. PostgreSQL is given no choice
 * either: while its tables are young it would read them whole.
 */
const EARLIER: typeof asked = {
  columns: asked.columns,
  each: EACH + earlier((table) => `from v join ${table} as d on ${KEY}`, asked.each.slice(EACH.length)),
  all: earlier(
    (table) => `from v cross join lateral (select * from ${table} as d where ${KEY} offset 0) as d`,
    asked.all,
  ),
}

/** What made a signal before, by webhook and key, the newest last; grows as the batch goes on, so that twins in it see each other. */
export class Copies {
  readonly #seen = new Map<string, Seen[]>()

  /** Reads the earlier deliveries with one of the batch's keys in one query; those of `except` are what is being read anew. */
  static async of(tx: Tx, batch: readonly Keyed[], except?: ReadonlySet<string>): Promise<Copies> {
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
    rows.sort((a, b) => Date.parse(a.received_at) - Date.parse(b.received_at))
    for (const { id, webhook_id, dedupe_key, signal_id, received_at, body } of rows) {
      if (signal_id === null || dedupe_key === null || except?.has(id)) continue
      const at_ms = Date.parse(received_at)
      copies.#note(`${webhook_id} ${dedupe_key}`, {
        delivery_id: id,
        signal_id,
        at_ms,
        body_hash: null,
        body,
      })
    }
    return copies
  }

  /** What this message is a copy of, or null; of deliveries before `before` only, when given. */
  find(one: Keyed, before?: string): Copy | null {
    const at_ms = Date.parse(one.received_at)
    const known = one.dedupe_key === null ? [] : this.#seen.get(`${one.webhook_id} ${one.dedupe_key}`)
    const near = known?.filter(
      (seen) =>
        Math.abs(at_ms - seen.at_ms) <= (one.dedupe_window_ms || MARK_MS) &&
        (before === undefined || seen.delivery_id < before),
    )
    const newest = near?.at(-1)
    if (!near || !newest) return null
    if (one.dedupe_window_ms === 0) return { kind: 'signal', flag: 'possible_duplicate', ...newest }
    const equal =
      one.dedupe_body === null ? newest : near.findLast((seen) => hashOf(seen) === one.dedupe_body)
    return equal ? { kind: 'duplicate', ...equal } : { kind: 'signal', flag: 'id_reused', ...newest }
  }

  /** Notes that this message made a signal. */
  add(one: Keyed, delivery_id: string, signal_id: string): void {
    if (one.dedupe_key === null) return
    const at_ms = Date.parse(one.received_at)
    const seen = { delivery_id, signal_id, at_ms, body_hash: one.dedupe_body, body: null }
    this.#note(`${one.webhook_id} ${one.dedupe_key}`, seen)
  }

  #note(key: string, seen: Seen): void {
    const known = this.#seen.get(key)
    if (known) known.push(seen)
    else this.#seen.set(key, [seen])
  }
}

function hashOf(seen: Seen): string | null {
  seen.body_hash ??= seen.body === null ? null : trimmedHash(seen.body)
  return seen.body_hash
}
