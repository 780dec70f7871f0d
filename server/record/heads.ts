// Writes where many strategies stand after a batch, one statement for all: their chains' heads and their folded states.
import type { Tally } from '#trading/fold/state.ts'
import type { FoldState } from '#trading/fold.ts'
import type { Position } from '#trading/record.ts'
import { bulkUpdate } from '../db/bulk.ts'
import type { UnitOfWork } from './unit-of-work.ts'

export interface MovedHead {
  strategy_id: string
  chain_seq: number
  chain_hash: string
}

const HEADS = bulkUpdate(
  'strategies',
  { strategy_id: 'text', chain_seq: 'integer', chain_hash: 'text' },
  { id: 'id', key: 'strategy_id' },
)

const STATES = bulkUpdate(
  'strategy_folds',
  {
    strategy_id: 'text',
    chain_seq: 'integer',
    version: 'integer',
    state: 'text',
    positions: 'text',
    last_signal_id: 'text',
    last_occurred_at: 'text',
    signal_count: 'integer',
    pending_price_count: 'integer',
    price_suspect_count: 'integer',
    position_gaps: 'text',
    calendar: 'text',
  },
  { id: 'strategy_id', key: 'strategy_id' },
)

/** Moves the heads of chains on. */
export async function moveHeads(uow: UnitOfWork, heads: readonly MovedHead[]): Promise<void> {
  await uow.write(
    HEADS,
    heads.map(({ strategy_id, chain_seq, chain_hash }) => ({ strategy_id, chain_seq, chain_hash })),
  )
}

export interface Stood extends Tally {
  strategy_id: string
  version: number
  state: FoldState
  positions: readonly Position[]
  calendar: string
}

/** Writes states and tallies; summary and curve stay as they are until somebody looks (server/strategy/figures.ts). */
export async function writeStates(uow: UnitOfWork, states: readonly Stood[]): Promise<void> {
  await uow.write(
    STATES,
    states.map((one) => ({
      strategy_id: one.strategy_id,
      chain_seq: one.chain_seq,
      version: one.version,
      state: JSON.stringify(one.state),
      positions: JSON.stringify(one.positions),
      last_signal_id: one.last_signal_id,
      last_occurred_at: one.last_occurred_at,
      signal_count: one.signal_count,
      pending_price_count: one.pending_price_count,
      price_suspect_count: one.price_suspect_count,
      position_gaps: JSON.stringify(one.position_gaps),
      calendar: one.calendar,
    })),
  )
}
