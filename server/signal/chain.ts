// The chain of a strategy as it is stored: the texts that were hashed, page by page, and where the chain stands.
import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { ChainHead, ChainPage, strategyChain } from '#contract/signal.ts'
import { GENESIS } from '#trading/chain.ts'
import type { Db, StrategyRow } from '../db/schema.ts'

/** One page. The head is read before the records, so that everything up to it is committed when they are read. */
export async function readChain(
  db: Db,
  row: StrategyRow,
  { after, limit }: Pick<ParsedInputOf<typeof strategyChain>, 'after' | 'limit'>,
): Promise<ChainPage> {
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

async function hashUpTo(db: Db, strategy_id: string, after: number): Promise<string> {
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
