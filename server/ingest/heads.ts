// Writes where many strategies stand after a batch, one statement for all: their chains' heads and their folded states.
import { sql } from 'kysely'
import type { FoldState } from '#trading/fold.ts'
import type { Position } from '#trading/record.ts'
import type { Db } from '../db/schema.ts'
import type { Tally } from '../strategy/fold.ts'

export interface Standing {
  strategy_id: string
  chain_seq: number
  chain_hash: string
}

/** Moves the heads of chains on. `column1…` are the names both engines give to the columns of VALUES. */
export async function moveHeads(db: Db, heads: readonly Standing[]): Promise<void> {
  const rows = heads.map(
    (head) => sql`(${head.strategy_id}, cast(${head.chain_seq} as integer), ${head.chain_hash})`,
  )
  await sql`update strategies set chain_seq = v.column2, chain_hash = v.column3
    from (values ${sql.join(rows)}) as v where strategies.id = v.column1`.execute(db)
}

export interface Stood extends Tally {
  strategy_id: string
  version: number
  state: FoldState
  positions: readonly Position[]
}

/** Writes states and tallies; summary and curve stay as they are until somebody looks (server/strategy/figures.ts). */
export async function writeStates(db: Db, states: readonly Stood[]): Promise<void> {
  const rows = states.map(
    (
      one,
    ) => sql`(${one.strategy_id}, cast(${one.chain_seq} as integer), cast(${one.version} as integer), ${JSON.stringify(one.state)},
      ${JSON.stringify(one.positions)}, cast(${one.last_signal_id} as text), cast(${one.last_occurred_at} as text),
      cast(${one.signal_count} as integer), cast(${one.pending_price_count} as integer), cast(${one.position_gap_id} as text))`,
  )
  await sql`update strategy_folds set chain_seq = v.column2, version = v.column3, state = v.column4, positions = v.column5,
    last_signal_id = v.column6, last_occurred_at = v.column7, signal_count = v.column8, pending_price_count = v.column9,
    position_gap_id = v.column10
    from (values ${sql.join(rows)}) as v where strategy_folds.strategy_id = v.column1`.execute(db)
}
