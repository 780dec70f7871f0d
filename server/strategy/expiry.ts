// Contracts that ended with a position left open: what is proposed, and the record that closes it when somebody knows the price.

import { ApiError, invalid } from '#contract/errors.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { Expiry } from '#contract/strategy.ts'
import { contractEnd, isOver, taipei } from '#trading/calendar.ts'
import { type Expired, expiredOf, type FoldState, symbolName } from '#trading/fold.ts'
import { KINDS } from '#trading/kinds.ts'
import type { Facts } from '#trading/record.ts'
import { holdStrategy } from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import type { Snapshot, StrategyRow } from '../db/schema.ts'
import { newId } from '../ids.ts'
import { closedDays } from '../record/calendar.ts'
import { insertRecord, openPositions } from '../record/records.ts'

const NOTE = '到期，以最後結算價平倉'

/** The positions of a stored fold whose month is over now. */
export function expiriesOf(
  row: Pick<StrategyRow, 'kind'>,
  fold: Pick<Snapshot, 'state'>,
  now: string,
  closed_days: ReadonlySet<string>,
): Expiry[] {
  // Most strategies name no month: their states need not be read.
  if (!KINDS[row.kind].has_contract || !fold.state.includes('"month":"')) return []
  const { open } = JSON.parse(fold.state) as FoldState
  return expiredOf(open, now, closed_days).map(({ symbol, contract, quantity, avg_price, ended_at }) => ({
    symbol,
    symbol_name: symbolName(symbol, 'futures'),
    contract,
    quantity,
    avg_price,
    ended_at,
  }))
}

/**
 * Closes what a month that is over left open, at its end and for its settlement price, by a further record in the same chain.
 * 4220 with a sentence where there is nothing (any more) to close.
 */
export async function settle(
  app: App,
  tx: Tx,
  actor: Actor,
  {
    id,
    contract,
    symbol,
    settlement_price,
  }: { id: string; contract: string; symbol?: string | undefined; settlement_price: number },
): Promise<SignalRecord> {
  // Held until the commit: of two who settle at once, the second finds nothing left open.
  const row = await holdStrategy(app, tx.db, actor, id, 'strategy:edit')
  const left = await leftOpen(app, tx, row, contract, symbol?.toUpperCase())
  const record: Omit<Facts, 'chain_seq'> = {
    id: newId(),
    strategy_id: row.id,
    source: 'system',
    refers_to: null,
    external_id: null,
    asset: 'futures',
    symbol_raw: null,
    symbol: left.symbol,
    contract,
    action: 'close_all',
    quantity: null,
    unit: 'lot',
    target_position: null,
    reported_prev: null,
    price: settlement_price,
    occurred_at: left.ended_at,
    received_at: tx.at,
    timeframe: null,
    note: NOTE,
    reason: null,
    body_sha256: null,
    created_by: actor.uid,
  }
  return insertRecord(app, tx, { facts: record, flags: [], row, quiet: true })
}

/** The one position that this month left open; else the reason why there is none to close. */
async function leftOpen(
  app: App,
  tx: Tx,
  row: StrategyRow,
  contract: string,
  symbol: string | undefined,
): Promise<Expired> {
  if (!KINDS[row.kind].has_contract)
    throw new ApiError(4220, { text: '只有期貨的契約會到期，這個策略交易的是股票' })
  const closed = closedDays(app)
  const end = contractEnd(contract, closed)
  if (end === null) throw invalid({ contract: '沒有這個合約月份' })
  const { date } = taipei(end)
  const last = `${date.replaceAll('-', '/')} 13:30`
  if (!isOver(contract, tx.at, closed))
    throw new ApiError(4220, { text: `${contract} 還在交易，${last} 到期之後才能以結算價平倉` })
  const open = expiredOf(await openPositions(app, tx.db, row, closed), tx.at, closed)
  const [left, ...others] = open.filter(
    (one) => one.contract === contract && (symbol === undefined || one.symbol === symbol),
  )
  if (!left)
    throw new ApiError(4220, {
      text: `${symbol ? `${symbolName(symbol, 'futures')} ` : ''}${contract} 沒有留下未平倉的部位：可能已經平倉，或已經結算過`,
    })
  if (others.length > 0) {
    const names = [left, ...others].map((one) => one.symbol).join('、')
    throw invalid({ symbol: `${contract} 有 ${others.length + 1} 個商品的部位，請指定其中一個：${names}` })
  }
  if (left.entered_after.length > 0)
    throw new ApiError(4220, {
      text: `有 ${left.entered_after.length} 筆進場發生在 ${contract} 到期（${last}）之後，結算價平不掉：請先作廢那幾筆`,
    })
  return left
}
