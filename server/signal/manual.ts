// Signals that a person enters: read under the strategy's terms, then a record like any other, once for ever per id.

import type { ParsedInputOf } from '#contract/endpoint.ts'
import { ApiError, invalid } from '#contract/errors.ts'
import type { SignalRecord, sendManualFutures, sendManualStock } from '#contract/signal.ts'
import { ASSET_FACTS, assetOf, UNIT_FACTS } from '#trading/kinds.ts'
import { MANUAL_FRESH_MS, type ManualEntry, type ManualOrder, readManual, takesAll } from '#trading/manual.ts'
import type { Asset, Facts, Flag } from '#trading/record.ts'
import { holdStrategy } from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import { isTaken, Overtaken } from '../db/condition.ts'
import type { StrategyRow } from '../db/schema.ts'
import { payloadStrategy } from '../ingest/judge.ts'
import { closedDays } from '../record/calendar.ts'
import { insertRecord, openPositions, RECORD_COLUMNS } from '../record/records.ts'
import { loadTerms } from '../record/terms.ts'
import { showSignals } from '../record/visibility.ts'

type Futures = ParsedInputOf<typeof sendManualFutures>
type Stock = ParsedInputOf<typeof sendManualStock>
type Sent = Omit<Futures & Stock, 'product_code' | 'symbol' | 'contract' | 'unit'> &
  Pick<ManualEntry, 'symbol' | 'contract' | 'unit'>

/** In the words of an id of the wrong form (contract/fields.ts). */
const REFUSED_ID = '編號格式不正確'

/** The call's own name of what the reader calls `symbol`. */
const NAMES = { futures: 'product_code', stock: 'symbol' } as const

export const futuresEntry = ({ product_code, ...sent }: Futures): Sent => ({ ...sent, symbol: product_code })
export const stockEntry = (sent: Stock): Sent => sent

/**
 * Stores it and tells the world. The same id again gives the record it became; 4091 when its content was another. 4220 with
 * the fields to change, the id among them where it is taken elsewhere; 4040 and 4030 as every change of a strategy.
 */
export async function enterSignal(
  app: App,
  tx: Tx,
  actor: Actor,
  asset: Asset,
  sent: Sent,
): Promise<SignalRecord> {
  // Held until the commit: of the same signal sent twice at once, the second finds the first's record.
  const row = await holdStrategy(app, tx.db, actor, sent.strategy_id, 'strategy:edit')
  const known = await becomeOf(app, tx, actor, sent)
  if (known) return known
  refuseClosed(row, asset)
  const closed = closedDays(app)
  const read = readManual(sent, payloadStrategy(row), {
    terms: loadTerms(row, closed),
    open: await openPositions(app, tx.db, row, closed),
    now: tx.at,
  })
  if ('faults' in read) {
    const { symbol, ...faults } = read.faults
    throw invalid({ ...faults, ...(symbol !== undefined && { [NAMES[asset]]: symbol }) })
  }
  const facts = manualFacts(read.order, { asset, sent, row, at: tx.at, uid: actor.uid })
  const flags = new Set<Flag>(read.order.flags)
  if (sent.confirmed_late) flags.add('late')
  if (row.status === 'paused') flags.add('paused')
  const fresh = Date.parse(tx.at) - Date.parse(facts.occurred_at) <= MANUAL_FRESH_MS
  try {
    return await insertRecord(app, tx, { facts, flags: [...flags], row, quiet: !(sent.notify ?? fresh) })
  } catch (error) {
    // the same id came in for another strategy at this moment: what it became can be read now
    throw isTaken(error) ? new Overtaken(error) : error
  }
}

/** The record that this id became before; null when it is new. */
async function becomeOf(app: App, tx: Tx, actor: Actor, sent: Sent): Promise<SignalRecord | null> {
  const found = await tx.db
    .selectFrom('signals')
    .select(RECORD_COLUMNS)
    .where('id', '=', sent.id)
    .executeTakeFirst()
  if (!found) return null
  // Somebody else's, or of another strategy: nothing is said of it, least of all that it is there.
  if (found.strategy_id !== sent.strategy_id) throw invalid({ id: REFUSED_ID })
  const facts = JSON.parse(found.facts) as Facts
  const same =
    facts.source === 'manual' &&
    facts.created_by === actor.uid &&
    facts.symbol === sent.symbol.trim().toUpperCase() &&
    facts.price === sent.price &&
    facts.quantity === sizeOf(sent, facts) &&
    facts.action === (sent.action === 'reverse' ? 'target' : sent.action)
  if (!same)
    throw new ApiError(4091, {
      text: '這筆訊號先前已經送達，內容和這次不同。請關閉後看紀錄；要再送一筆，就重新打開。',
    })
  const [record] = await showSignals(app, tx.db, actor, [found])
  return record as SignalRecord
}

/** How much it asks for, as facts count. */
const sizeOf = ({ action, quantity, unit }: Sent, facts: Pick<Facts, 'unit'>): number | null =>
  takesAll(action) || quantity === null ? null : quantity * UNIT_FACTS[unit ?? facts.unit].size

function refuseClosed(row: StrategyRow, asset: Asset): void {
  const own = assetOf(row)
  if (own !== asset)
    throw new ApiError(4220, {
      text: `這是${ASSET_FACTS[own].name}策略，請送${ASSET_FACTS[own].name}的手動訊號`,
    })
  if (row.status === 'archived')
    throw new ApiError(4220, { text: '策略已封存，不再收訊號；要繼續使用請先恢復策略' })
}

function manualFacts(
  order: ManualOrder,
  of: { asset: Asset; sent: Sent; row: StrategyRow; at: string; uid: string },
): Omit<Facts, 'chain_seq'> {
  const { flags: _flags, ...said } = order
  return {
    ...said,
    id: of.sent.id,
    strategy_id: of.row.id,
    source: 'manual',
    refers_to: null,
    external_id: null,
    asset: of.asset,
    symbol_raw: null,
    reported_prev: null,
    received_at: of.at,
    timeframe: null,
    note: of.sent.note || null,
    reason: null,
    body_sha256: null,
    created_by: of.uid,
  }
}
