// Signals of nobody: every kind of row that the filters can tell apart, on two days.

import type { SignalRecord } from '#contract/signal.ts'
import { EXAMPLE } from '#trading/examples.ts'
import type { Effect, Flag, Source } from '#trading/record.ts'

const FUTURES = '00000000-0000-7000-8000-000000000001'
const SWING = '00000000-0000-7000-8000-000000000002'
const STOCKS = '00000000-0000-7000-8000-000000000003'

/** Strategy id → name. */
export const SAMPLE_NAMES: ReadonlyMap<string, string> = new Map([
  [FUTURES, '台指當沖突破'],
  [SWING, '小台順勢波段'],
  [STOCKS, '外資連買選股'],
])

const PRODUCTS = {
  TXF: { asset: 'futures', symbol: 'TXF', symbol_name: '臺股期貨', contract: '202612', unit: 'lot' },
  MXF: { asset: 'futures', symbol: 'MXF', symbol_name: '小型臺指', contract: '202612', unit: 'lot' },
  2330: { asset: 'stock', symbol: '2330', symbol_name: '台積電', contract: null, unit: 'board_lot' },
  2603: { asset: 'stock', symbol: '2603', symbol_name: '長榮', contract: null, unit: 'board_lot' },
} as const

type Sample = {
  /** Taipei, 11/20 unless it begins with another day. */
  at: string
  strategy: string
  product: keyof typeof PRODUCTS
  effect: Effect
  before: number
  after: number
  price: number | null
  pnl?: number
  source?: Source
  flags?: Flag[]
  voided?: boolean
  note?: string
}

const HASH = '0'.repeat(64)

function whole(sample: Sample, n: number): SignalRecord {
  const { at, strategy, product, effect, before, after, price, pnl = null, source = 'webhook' } = sample
  const occurred_at = new Date(`${at.length > 8 ? at : `2026-11-20T${at}`}+08:00`).toISOString()
  const id = `00000000-0000-7000-8000-${String(100 + n).padStart(12, '0')}`
  return {
    ...PRODUCTS[product],
    id,
    strategy_id: strategy,
    chain_seq: 100 - n,
    source,
    refers_to: null,
    external_id: null,
    symbol_raw: PRODUCTS[product].symbol,
    action: after > before ? 'buy' : 'sell',
    quantity: Math.abs(after - before),
    target_position: null,
    reported_prev: null,
    price,
    occurred_at,
    received_at: occurred_at,
    timeframe: null,
    note: sample.note ?? null,
    reason: null,
    body_sha256: null,
    created_by: null,
    seq: 100 - n,
    prev_hash: HASH,
    hash: HASH,
    webhook_id: null,
    delivery_id: null,
    trading_date: occurred_at.slice(0, 10),
    session: 'day',
    quiet: false,
    flags: sample.flags ?? [],
    derived: {
      status: sample.voided ? 'voided' : price === null ? 'pending_price' : 'ok',
      effect,
      none_reason: null,
      side: after > 0 ? 'long' : after < 0 ? 'short' : 'flat',
      position_before: before,
      position_after: after,
      avg_price_after: null,
      price_used: price,
      realised_pnl: pnl,
      fee: null,
      tax: null,
    },
  }
}

/** Newest first. */
export const SAMPLE_RECORDS: readonly SignalRecord[] = (
  [
    {
      at: '10:31:58',
      strategy: FUTURES,
      product: 'TXF',
      effect: 'add',
      before: 1,
      after: 2,
      price: EXAMPLE.index,
    },
    {
      at: '10:30:00',
      strategy: STOCKS,
      product: 2330,
      effect: 'open',
      before: 0,
      after: 1_000,
      price: EXAMPLE.tsmc,
      note: '外資連買三日',
    },
    {
      at: '10:24:00',
      strategy: SWING,
      product: 'MXF',
      effect: 'close',
      before: -2,
      after: 0,
      price: EXAMPLE.index_before,
      pnl: 6_900,
    },
    {
      at: '10:17:33',
      strategy: FUTURES,
      product: 'TXF',
      effect: 'open',
      before: 0,
      after: 1,
      price: EXAMPLE.index_before,
      flags: ['late'],
    },
    {
      at: '10:02:11',
      strategy: STOCKS,
      product: 2603,
      effect: 'close',
      before: 2_000,
      after: 0,
      price: EXAMPLE.evergreen,
      pnl: -4_690,
      source: 'manual',
    },
    {
      at: '09:58:40',
      strategy: FUTURES,
      product: 'TXF',
      effect: 'open',
      before: 0,
      after: 1,
      price: 46_500,
      voided: true,
      source: 'manual',
    },
    { at: '09:45:00', strategy: SWING, product: 'MXF', effect: 'open', before: 0, after: -2, price: null },
    {
      at: '2026-11-19T13:20:05',
      strategy: SWING,
      product: 'MXF',
      effect: 'reverse',
      before: 2,
      after: -2,
      price: 46_310,
      pnl: -1_200,
    },
    {
      at: '2026-11-19T11:08:44',
      strategy: SWING,
      product: 'MXF',
      effect: 'open',
      before: 0,
      after: 2,
      price: 46_330,
    },
    {
      at: '2026-11-19T09:12:00',
      strategy: STOCKS,
      product: 2603,
      effect: 'open',
      before: 0,
      after: 2_000,
      price: 200,
    },
  ] satisfies Sample[]
).map(whole)
