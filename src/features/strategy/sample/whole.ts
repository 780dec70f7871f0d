// Makes the strategies of nobody whole: what the samples do not say.
import type { SignalRecord } from '#contract/signal.ts'
import type { StatsSummary } from '#contract/statistics.ts'
import { type Strategy, strategy_input } from '#contract/strategy.ts'
import { KINDS } from '#trading/kinds.ts'

/** When the newest of them was made and heard of. */
export const AT = '2026-11-20T02:31:58.000Z'
const HASH = '0'.repeat(64)

const NO_TRADES: StatsSummary = {
  trade_count: 0,
  win_count: 0,
  loss_count: 0,
  even_count: 0,
  win_rate: null,
  gross_profit: 0,
  gross_loss: 0,
  net_profit: 0,
  total_gross: 0,
  total_fee: 0,
  total_tax: 0,
  total_slippage: 0,
  profit_factor: null,
  profit_factor_reason: 'no_trades',
  avg_win: null,
  avg_loss: null,
  payoff_ratio: null,
  expectancy: null,
  expectancy_r: null,
  largest_win: null,
  largest_loss: null,
  max_drawdown: 0,
  max_drawdown_pct: null,
  recovery_factor: null,
  max_consecutive_wins: 0,
  max_consecutive_losses: 0,
  avg_holding_minutes: null,
  median_holding_minutes: null,
  max_holding_minutes: null,
  sharpe: null,
  total_return: null,
  underwater_days: 0,
  excluded_count: 0,
  small_sample: true,
}

/** `net` in whole dollars on `capital`; the rest of the figures as fractions. */
export function figures(
  net: number,
  capital: number,
  win_rate: number,
  factor: number | null,
  drawdown: number,
): StatsSummary {
  return {
    ...NO_TRADES,
    trade_count: 48,
    win_rate,
    net_profit: net,
    profit_factor: factor,
    profit_factor_reason: factor === null ? 'no_loss' : null,
    max_drawdown_pct: drawdown,
    total_return: net / capital,
    small_sample: false,
  }
}

/** What the last signal says; the price in points or dollars. */
export type Last = Pick<
  SignalRecord,
  'asset' | 'symbol' | 'symbol_name' | 'contract' | 'action' | 'quantity'
> &
  Pick<SignalRecord['derived'], 'effect' | 'side' | 'position_before' | 'position_after'> & {
    occurred_at: string
    price: number
  }

function record(strategy_id: string, last: Last): SignalRecord {
  const { effect, side, position_before, position_after, price, occurred_at, ...facts } = last
  return {
    ...facts,
    id: `${strategy_id}-last`,
    strategy_id,
    chain_seq: 128,
    source: 'webhook',
    refers_to: null,
    external_id: null,
    symbol_raw: facts.symbol,
    unit: KINDS[facts.asset].units[0],
    target_position: null,
    reported_prev: null,
    price,
    occurred_at,
    received_at: occurred_at,
    timeframe: null,
    note: null,
    reason: null,
    body_sha256: null,
    created_by: null,
    seq: 128,
    prev_hash: HASH,
    hash: HASH,
    webhook_id: null,
    delivery_id: null,
    trading_date: occurred_at.slice(0, 10),
    session: 'day',
    quiet: false,
    flags: [],
    derived: {
      status: 'ok',
      effect,
      none_reason: null,
      side,
      position_before,
      position_after,
      avg_price_after: null,
      price_used: price,
      realised_pnl: null,
      fee: null,
      tax: null,
    },
  }
}

type Sample = {
  id: string
  input: Parameters<typeof strategy_input.parse>[0]
  summary?: StatsSummary
  curve?: number[]
  positions?: Strategy['positions']
  last?: Last
  warnings?: Strategy['warnings']
  pending?: number
  bell?: boolean
}

/** A whole strategy of a few words: what is not said is as a new one has it. */
export function whole({
  id,
  input,
  summary,
  curve,
  positions,
  last,
  warnings,
  pending,
  bell,
}: Sample): Strategy {
  const draft = strategy_input.parse(input)
  const settings =
    draft.kind === 'futures'
      ? { fee_per_side: 60, tax_rate: 0.00002, ...draft.settings }
      : draft.kind === 'xq-stock'
        ? { dedupe_per_day: false, ...draft.settings }
        : draft.settings
  const { summary: summary_text, ...common } = draft
  return {
    ...common,
    settings,
    summary_text,
    id,
    created_at: AT,
    updated_at: AT,
    owner: { type: 'personal', id: 'sample' },
    positions: positions ?? [],
    summary: summary ?? NO_TRADES,
    curve: curve ?? [],
    last_signal: last ? record(id, last) : null,
    signal_count: last ? 128 : 0,
    pending_price_count: pending ?? 0,
    price_suspect_count: 0,
    warnings: warnings ?? [],
    my_notify: { strategy_id: id, enabled: bell ?? true, channels: null, actions: 'all', important: false },
    groups: [],
    access: null,
    chain_head: { chain_seq: last ? 128 : 0, hash: HASH },
    can: [],
    created_by: { id: 'sample', name: '林柏翰' },
  } as Strategy
}

/** A position; shares or lots, negative when short. */
export const held = (
  symbol: string,
  symbol_name: string,
  contract: string | null,
  quantity: number,
  avg_price: number,
) => ({
  symbol,
  symbol_name,
  contract,
  quantity,
  avg_price,
  ref_price: null,
  ref_at: null,
  unrealised_pnl: null,
})
/** A product of the nearest month, as a signal names it. */
export const futures = (symbol: string, symbol_name: string) =>
  ({ asset: 'futures', symbol, symbol_name, contract: '202612' }) as const
