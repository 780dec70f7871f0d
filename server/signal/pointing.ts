// Records that point at another one: a void takes it out of the figures, a correction gives it a price. Nothing stored changes.
import { ApiError, invalid } from '#contract/errors.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { Facts, Flag } from '#trading/record.ts'
import { holdStrategy } from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import type { Db, StoredRecord } from '../db/schema.ts'
import { newId } from '../ids.ts'
import { type Pointing, pointerFacts } from '../record/facts.ts'
import { insertRecord } from '../record/records.ts'
import { findSignal } from './list.ts'

/**
 * Stores the further record, in the same chain, with everything folded again in the same transaction. 4040 for a target the
 * actor may not see; 4220 with a sentence for one that cannot be pointed at (again).
 */
export async function pointAt(
  app: App,
  tx: Tx,
  actor: Actor,
  id: string,
  told: Pointing,
): Promise<SignalRecord> {
  const target = await findSignal(tx.db, actor, id)
  if (!target) throw new ApiError(4040)
  // Held until the commit: of many who void one signal at once, the second already finds the first's record.
  const row = await holdStrategy(app, tx.db, actor, target.strategy_id, 'strategy:edit')
  const facts = JSON.parse(target.facts) as Facts
  await refuseInvalid(tx.db, target, facts, told)
  const record = pointerFacts(facts, told, { id: newId(), at: tx.at, created_by: actor.uid })
  return insertRecord(app, tx, { facts: record, flags: [], row })
}

async function refuseInvalid(db: Db, target: StoredRecord, facts: Facts, told: Pointing): Promise<void> {
  const verb = told.source === 'void' ? '作廢' : '更正'
  if (target.source === 'void' || target.source === 'correction')
    throw new ApiError(4220, {
      text: `這是一筆${target.source === 'void' ? '作廢' : '更正'}紀錄，不能再${verb}。請選原本的訊號。`,
    })
  const pointers = await db
    .selectFrom('signals')
    .select(['source', 'chain_seq', 'facts'])
    .where('strategy_id', '=', target.strategy_id)
    .where('refers_to', '=', target.id)
    .orderBy('chain_seq', 'desc')
    .execute()
  const gone = pointers.find(({ source }) => source === 'void')
  if (gone)
    throw new ApiError(4220, {
      text: `這筆訊號已經由第 ${gone.chain_seq.toLocaleString('en-US')} 筆紀錄作廢，不能再${verb}。`,
    })
  if (told.source === 'void') return
  const newest = pointers.find(({ source }) => source === 'correction')
  const price = newest ? (JSON.parse(newest.facts) as Facts).price : facts.price
  // Given the price that it came with, a record whose price was in doubt is confirmed.
  const confirms = !newest && (JSON.parse(target.flags) as Flag[]).includes('price_suspect')
  if (price === told.price && !confirms) throw invalid({ price: '和現在的價格相同' })
}
