// The ten trades of domain §6.2 as messages a webhook receives, and the figures that stand there (no holidays: ruling C4).
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Strategy } from '#contract/strategy.ts'
import { hookPath } from './desk.ts'

/** Side, lots, when and at what it began and ended (Taipei); then net, equity, drawdown, minutes held, trading date of the end. */
export const TEN_ROWS = [
  ['long', 1, '2026-06-02 09:05', 22100, '2026-06-02 13:30', 22180, 3906, 503906, 0, 265, '2026-06-02'],
  ['short', 1, '2026-06-04 09:15', 22250, '2026-06-04 11:00', 22190, 2906, 506812, 0, 105, '2026-06-04'],
  ['long', 2, '2026-06-09 10:00', 22050, '2026-06-10 10:30', 22260, 20812, 527624, 0, 1470, '2026-06-10'],
  ['long', 1, '2026-06-15 09:00', 22400, '2026-06-15 10:10', 22470, 3406, 531030, 0, 70, '2026-06-15'],
  ['short', 1, '2026-06-23 15:20', 22350, '2026-06-23 23:40', 22290, 2906, 533936, 0, 500, '2026-06-24'],
  ['long', 2, '2026-07-03 09:30', 22500, '2026-07-03 13:00', 22420, -8190, 525746, 8190, 210, '2026-07-03'],
  [
    'short',
    1,
    '2026-07-10 09:00',
    22600,
    '2026-07-13 11:20',
    22655,
    -2846,
    522900,
    11036,
    4460,
    '2026-07-13',
  ],
  ['long', 1, '2026-07-21 10:00', 22700, '2026-07-22 09:40', 22700, -96, 522804, 11132, 1420, '2026-07-22'],
  ['long', 1, '2026-07-30 15:10', 22780, '2026-07-31 22:15', 22690, -4596, 518208, 15728, 1865, '2026-08-03'],
  ['short', 2, '2026-08-18 09:20', 23050, '2026-08-19 13:25', 22910, 13808, 532016, 1920, 1685, '2026-08-19'],
] as const

/** What the strategy is made with. */
export const TEN_STRATEGY = {
  kind: 'futures',
  name: '十筆範例',
  initial_capital: 500_000,
  settings: { product_code: 'MXF', fee_per_side: 25 },
} as const

/** One message and the moment (ms) at which it fires and arrives. */
export const TEN_MESSAGES = TEN_ROWS.flatMap(([side, quantity, entered, entry, left, exit]) => [
  message(`${side}_entry`, quantity, entered, entry),
  message(`${side}_exit`, quantity, left, exit),
])

function message(action: string, quantity: number, local: string, price: number) {
  const at_ms = Date.parse(`${local.replace(' ', 'T')}:00+08:00`)
  return {
    at_ms,
    body: { symbol: 'TAIFEX:MXF1!', action, quantity, price, time: new Date(at_ms).toISOString() },
  }
}

/** Tells a fresh server that its markets never close. */
export function noHolidays({ data_dir }: { data_dir: string }): void {
  mkdirSync(join(data_dir, 'market'), { recursive: true })
  writeFileSync(join(data_dir, 'market', 'closed-days.json'), '[]')
}

/** Posts the twenty messages through the strategy's first webhook, each at its time by the server's clock. */
export async function postTen(
  url: string,
  strategy: Strategy,
  setClock: (ms: number | null) => void,
): Promise<void> {
  const path = hookPath(strategy)
  for (const { at_ms, body } of TEN_MESSAGES) {
    setClock(at_ms)
    const answer = await fetch(new URL(path, url), { method: 'POST', body: JSON.stringify(body) })
    if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
  }
  setClock(null)
}

export const TEN_SUMMARY = {
  trade_count: 10,
  win_count: 6,
  loss_count: 4,
  even_count: 0,
  win_rate: 0.6,
  gross_profit: 47744,
  gross_loss: 15728,
  net_profit: 32016,
  total_gross: 33250,
  total_fee: 650,
  total_tax: 584,
  total_slippage: 0,
  profit_factor: 3.0356052899,
  profit_factor_reason: null,
  avg_win: 7957.3333,
  avg_loss: 3932,
  payoff_ratio: 2.02373686,
  expectancy: 3201.6,
  expectancy_r: 0.814242116,
  largest_win: 20812,
  largest_loss: -8190,
  max_drawdown: 15728,
  max_drawdown_pct: 0.0294567139,
  recovery_factor: 2.0356052899,
  max_consecutive_wins: 5,
  max_consecutive_losses: 4,
  avg_holding_minutes: 1205,
  median_holding_minutes: 960,
  max_holding_minutes: 4460,
  sharpe: 2.4431722117,
  total_return: 0.064032,
  underwater_days: 34,
  excluded_count: 0,
  small_sample: true,
} as const

export const TEN_MONTHS = [
  { month: '2026-06', net: 33936, pct: 0.067872, trades: 5 },
  { month: '2026-07', net: -11132, pct: -0.0208489407, trades: 3 },
  { month: '2026-08', net: 9212, pct: 0.0176203702, trades: 2 },
]

/** Equity after each trade. */
export const TEN_EQUITY = TEN_ROWS.map((row) => row[7])
