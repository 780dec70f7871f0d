// The chain of a strategy as it is stored: the texts that were hashed, page by page, and where the chain stands.
import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { ChainHead, ChainPage, strategyChain } from '#contract/signal.ts'
import { GENESIS } from '#trading/chain.ts'
import type { Actor } from '../context.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { startOf } from '../strategy/rules.ts'

/**
 * The place in the chain up to which an actor reads nothing: 0 for those who see all. A member's part begins after the last
 * record from before its access, so that what it reads hangs together (ruling A12: its anchor is the hash before).
 */
export async function floorOf(db: Db, actor: Pick<Actor, 'access'>, strategy_id: string): Promise<number> {
  if (actor.access === null) return 0
  const access = actor.access.get(strategy_id)
  const { floor } = await db
    .selectFrom('signals')
    .select((eb) => eb.fn.max('chain_seq').as('floor'))
    .where('strategy_id', '=', strategy_id)
    .where('occurred_at', '<', access ? startOf(access.visible_from) : '9999')
    .executeTakeFirstOrThrow()
  return floor ?? 0
}

/** One page. The head is read before the records, so that everything up to it is committed when they are read. */
export async function readChain(
  db: Db,
  row: StrategyRow,
  query: Pick<ParsedInputOf<typeof strategyChain>, 'after' | 'limit'>,
  floor: number,
): Promise<ChainPage> {
  const { limit } = query
  const after = Math.max(query.after, floor)
  const found = await db
    .selectFrom('signals')
    .select(['chain_seq', 'prev_hash', 'hash', 'facts'])
    .where('strategy_id', '=', row.id)
    .where('chain_seq', '>', after)
    .where('chain_seq', '<=', row.chain_seq)
    .orderBy('chain_seq')
    .limit(limit)
    .execute()
  const items = found.map(({ facts, ...item }) => ({ ...item, canonical: facts }))
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
