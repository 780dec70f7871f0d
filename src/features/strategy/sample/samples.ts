// Makes the strategies of nobody whole: what the samples do not say.
import type { SignalRecord } from '#contract/signal.ts'
import type { StatsSummary } from '#contract/statistics.ts'
import { type Strategy, strategy_input } from '#contract/strategy.ts'
import { EXAMPLE } from '#trading/examples.ts'
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

// Strategies of nobody: one of every kind and condition that the list can show, with fixed figures.

export const SAMPLES: readonly Strategy[] = [
  whole({
    id: 'sample-1',
    input: {
      kind: 'futures',
      name: '台指當沖突破',
      tags: ['突破', '當沖'],
      timeframe: '5',
      settings: { product_code: 'TXF', session: 'day' },
    },
    summary: figures(128_450, 500_000, 0.583, 1.72, 0.084),
    curve: [500, 512, 506, 521, 534, 528, 541, 560, 556, 571, 590, 628].map((k) => k * 1000),
    positions: [held('TXF', '臺股期貨', '202612', 2, EXAMPLE.index_before)],
    last: {
      ...futures('TXF', '臺股期貨'),
      action: 'buy',
      quantity: 1,
      effect: 'add',
      side: 'long',
      position_before: 1,
      position_after: 2,
      price: EXAMPLE.index,
      occurred_at: AT,
    },
  }),
  whole({
    id: 'sample-2',
    input: {
      kind: 'futures',
      name: '微台均值回歸',
      tags: ['均值回歸'],
      timeframe: '15',
      settings: { product_code: 'TMF' },
    },
    summary: figures(-20_300, 500_000, 0.442, 0.86, 0.121),
    curve: [500, 490, 494, 476, 470, 482, 480].map((k) => k * 1000),
    last: {
      ...futures('TMF', '微型臺指'),
      action: 'close_all',
      quantity: 5,
      effect: 'close',
      side: 'short',
      position_before: -5,
      position_after: 0,
      price: EXAMPLE.index_before,
      occurred_at: '2026-11-20T02:24:00.000Z',
    },
    warnings: ['position_gap'],
    bell: false,
  }),
  whole({
    id: 'sample-3',
    input: {
      kind: 'futures',
      name: '小台順勢波段',
      tags: ['順勢'],
      direction: 'short',
      timeframe: '60',
      status: 'paused',
      settings: { product_code: 'MXF' },
    },
    summary: figures(64_200, 500_000, 0.391, 2.05, 0.067),
    curve: [500, 498, 510, 523, 519, 548, 564].map((k) => k * 1000),
    last: {
      ...futures('MXF', '小型臺指'),
      action: 'short_entry',
      quantity: 2,
      effect: 'open',
      side: 'short',
      position_before: 0,
      position_after: -2,
      price: EXAMPLE.index_short,
      occurred_at: '2026-11-18T05:02:10.000Z',
    },
    positions: [held('MXF', '小型臺指', '202612', -2, 46_610)],
  }),
  whole({
    id: 'sample-4',
    input: {
      kind: 'futures',
      name: '電子期隔日沖：一個名字刻意取得很長，用來看卡片和表格在放不下的時候怎麼收尾',
      timeframe: '30',
      settings: { product_code: 'EXF' },
    },
  }),
  whole({
    id: 'sample-5',
    input: {
      kind: 'stock',
      name: '外資連買選股',
      tags: ['籌碼'],
      timeframe: 'D',
      settings: { symbols: ['2330', '2454', '2603'] },
    },
    summary: figures(212_800, 1_000_000, 0.612, null, 0.052),
    curve: [1000, 1012, 1030, 1026, 1080, 1124, 1160, 1213].map((k) => k * 1000),
    positions: [
      held('2330', '台積電', null, 1_000, EXAMPLE.tsmc),
      held('2454', '聯發科', null, 2_000, 1_405),
    ],
    last: {
      asset: 'stock',
      symbol: '2330',
      symbol_name: '台積電',
      contract: null,
      action: 'buy',
      quantity: 1_000,
      effect: 'open',
      side: 'long',
      position_before: 0,
      position_after: 1_000,
      price: EXAMPLE.tsmc,
      occurred_at: '2026-11-20T02:30:00.000Z',
    },
  }),
  whole({
    id: 'sample-6',
    input: {
      kind: 'xq-stock',
      name: 'XQ 警示：爆量長紅',
      tags: ['XQ'],
      timeframe: 'D',
      settings: { xq_script_name: '爆量長紅' },
    },
    summary: figures(-8_600, 1_000_000, 0.5, 0.94, 0.031),
    curve: [1000, 1004, 996, 991].map((k) => k * 1000),
    last: {
      asset: 'stock',
      symbol: '2603',
      symbol_name: '長榮',
      contract: null,
      action: 'sell',
      quantity: 2_000,
      effect: 'close',
      side: 'long',
      position_before: 2_000,
      position_after: 0,
      price: EXAMPLE.evergreen,
      occurred_at: '2026-11-19T03:10:00.000Z',
    },
    warnings: ['pending_price'],
    pending: 2,
  }),
]
