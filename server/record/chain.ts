// The chain of a strategy as it is stored: the texts that were hashed, page by page, and where the chain stands.
import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { ChainHead, ChainPage, strategyChain } from '#contract/signal.ts'
import { GENESIS } from '#trading/chain.ts'
import { seesRecord, startOf } from '../access/strategies.ts'
import type { AccessMap } from '../context.ts'
import type { Db, StoredRecord, StrategyRow } from '../db/schema.ts'
import { linksAfter } from './trade-history.ts'
import { redactedPointers } from './visibility.ts'

/** Floors by strategy and first instant: what comes later stands later in the chain, so the first one stays the first. */
const floors = new Map<string, number>()
const FLOORS_MOST = 10_000

/**
 * The place in the chain before the first record that a reader reads: 0 for those who see all. A member's part begins there,
 * with the hash before as its anchor (ruling A12); a record inside it that is older, but came late, is only a link.
 */
export async function floorOf(db: Db, access: AccessMap | null, strategy_id: string): Promise<number> {
  if (access === null) return 0
  const start = startOf(access.get(strategy_id)?.visible_from ?? '9999-12-31')
  const key = `${strategy_id} ${start}`
  const known = floors.get(key)
  if (known !== undefined) return known
  const own = db.selectFrom('signals').where('strategy_id', '=', strategy_id)
  const first = await own
    .select('chain_seq')
    .where('occurred_at', '>=', start)
    .orderBy('chain_seq')
    .limit(1)
    .executeTakeFirst()
  if (first) {
    if (floors.size >= FLOORS_MOST) floors.clear()
    floors.set(key, first.chain_seq - 1)
    return first.chain_seq - 1
  }
  const { last } = await own.select((eb) => eb.fn.max('chain_seq').as('last')).executeTakeFirstOrThrow()
  return last ?? 0
}

/** What of these rows a reader reads no content of: older than its first day, or pointing at what is (docs/decisions/access.md). */
export async function linksOnly(
  db: Db,
  access: AccessMap | null,
  rows: readonly Pick<StoredRecord, 'id' | 'strategy_id' | 'refers_to' | 'occurred_at'>[],
): Promise<{ older: ReadonlySet<string>; redacted: ReadonlySet<string> }> {
  if (access === null) return { older: new Set(), redacted: new Set() }
  const older = rows.filter((row) => !seesRecord(access, row.strategy_id, row.occurred_at))
  return { older: new Set(older.map(({ id }) => id)), redacted: await redactedPointers(db, access, rows) }
}

/** One page. The head is read before the records, so that everything up to it is committed when they are read. */
export async function readChain(
  db: Db,
  access: AccessMap | null,
  row: StrategyRow,
  query: Pick<ParsedInputOf<typeof strategyChain>, 'after' | 'limit'>,
): Promise<ChainPage> {
  const { limit } = query
  const after = Math.max(query.after, await floorOf(db, access, row.id))
  const found = await linksAfter(db, row, after, limit)
    .select(['id', 'strategy_id', 'refers_to', 'occurred_at'])
    .select(['chain_seq', 'prev_hash', 'hash', 'facts'])
    .execute()
  const { older, redacted } = await linksOnly(db, access, found)
  const items = found.map(({ id, chain_seq, prev_hash, hash, facts }) => {
    const canonical = older.has(id) || redacted.has(id) ? null : facts
    return { chain_seq, prev_hash, hash, canonical }
  })
  return { items, head: await headOf(db, row), anchor: await hashUpTo(db, row.id, after) }
}

/** Where the chain of this row stands; null while it has no record. */
export async function headOf(db: Db, row: StrategyRow): Promise<ChainHead | null> {
  if (row.chain_seq === 0) return null
  const last = await db
    .selectFrom('signals')
    .select('stored_at')
    .where('strategy_id', '=', row.id)
    .where('chain_seq', '<=', row.chain_seq)
    .orderBy('chain_seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  // A head without any record left is exactly what checking is there to find: it is told, not hidden.
  return { chain_seq: row.chain_seq, hash: row.chain_hash, at: last?.stored_at ?? row.updated_at }
}

/** The hash of the last record up to and with this place; the genesis hash before the first. */
export async function hashUpTo(db: Db, strategy_id: string, after: number): Promise<string> {
  if (after === 0) return GENESIS
  const last = await db
    .selectFrom('signals')
    .select('hash')
    .where('strategy_id', '=', strategy_id)
    .where('chain_seq', '<=', after)
    .orderBy('chain_seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.hash ?? GENESIS
}
