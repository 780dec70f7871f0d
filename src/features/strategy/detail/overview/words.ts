// Every figure in words: how it is written, its formula, what goes into it, and the trades behind it (domain §6.1).
import type { Statistics, StatsSummary } from '#contract/statistics.ts'
import { held, MASK, minus, number, percent, ratio, signed } from '#text/format.ts'
import { scaled } from '#trading/decimal.ts'
import type { Trade } from '#trading/record.ts'
import { byExit, partition } from '#trading/statistics/summary.ts'

export type Behind =
  | 'all'
  | 'wins'
  | 'losses'
  | 'largest_win'
  | 'largest_loss'
  | 'fall'
  | 'win_run'
  | 'loss_run'
type Key = {
  [K in keyof StatsSummary]: StatsSummary[K] extends number | null ? K : never
}[keyof StatsSummary]
export type FigureKey = Exclude<Key, 'excluded_count' | 'even_count' | 'win_count' | 'loss_count'>
export interface OverviewFigure {
  label: string
  /** Small, behind the label. */
  unit?: string
  kind: Metric
  formula: string
  inputs: readonly (Key | 'initial_capital')[]
  behind: Behind
  note?: string
}

const EQUITY = '權益＝期初權益＋已實現損益，與圖相同；不含持倉期間的浮動損益。'
const PERCENT_OF = '百分比以這段期間開始時的權益為準。'

export const FIGURES: Record<FigureKey, OverviewFigure> = {
  net_profit: {
    label: '淨損益',
    kind: 'signed',
    formula: '毛損益 − 手續費 − 交易稅 − 滑價',
    inputs: ['total_gross', 'total_fee', 'total_tax', 'total_slippage'],
    behind: 'all',
    note: '只算已平倉的交易；未平倉損益另外列。',
  },
  total_return: {
    label: '報酬率',
    kind: 'percent',
    formula: '淨損益 ÷ 期初權益',
    inputs: ['net_profit', 'initial_capital'],
    behind: 'all',
    note: PERCENT_OF,
  },
  win_rate: {
    label: '勝率',
    kind: 'percent',
    formula: '獲利筆數 ÷ 交易次數',
    inputs: ['win_count', 'loss_count', 'even_count', 'trade_count'],
    behind: 'wins',
    note: '扣完成本才算輸贏：價差打平但付了手續費是虧損。損益剛好是 0 的算在次數裡，不算獲利。與 TradingView 的 Percent profitable 相同。',
  },
  profit_factor: {
    label: '獲利因子',
    kind: 'ratio',
    formula: '總獲利 ÷ 總虧損',
    inputs: ['gross_profit', 'gross_loss'],
    behind: 'all',
    note: '沒有虧損時寫成 ∞。與 TradingView 的 Profit factor 相同。',
  },
  payoff_ratio: {
    label: '賺賠比',
    kind: 'ratio',
    formula: '平均獲利 ÷ 平均虧損',
    inputs: ['avg_win', 'avg_loss'],
    behind: 'all',
    note: '與 TradingView 的 Ratio avg win / avg loss 相同。',
  },
  expectancy: {
    label: '期望值',
    unit: '元／筆',
    kind: 'signed',
    formula: '淨損益 ÷ 交易次數',
    inputs: ['net_profit', 'trade_count'],
    behind: 'all',
  },
  expectancy_r: {
    label: '期望值 R',
    unit: '倍平均虧損',
    kind: 'ratio',
    formula: '期望值 ÷ 平均虧損',
    inputs: ['expectancy', 'avg_loss'],
    behind: 'all',
  },
  max_drawdown: {
    label: '最大回撤額',
    kind: 'loss',
    formula: '權益從先前最高點跌下的最大金額；最高點從期初權益算起',
    inputs: ['max_drawdown_pct', 'initial_capital'],
    behind: 'fall',
    note: `${EQUITY}金額與百分比各自取最大，可能不在同一次。`,
  },
  max_drawdown_pct: {
    label: '最大回撤',
    kind: 'fall',
    formula: '（先前最高點 − 權益）÷ 先前最高點，取最大',
    inputs: ['max_drawdown', 'initial_capital'],
    behind: 'fall',
    note: `${EQUITY}金額與百分比各自取最大，可能不在同一次。`,
  },
  sharpe: {
    label: '夏普值',
    kind: 'ratio',
    formula: '每日報酬的平均 ÷ 樣本標準差 × √252',
    inputs: ['initial_capital', 'trade_count'],
    behind: 'all',
    note: '每日報酬＝當日淨損益 ÷ 期初權益，從第一筆進場到最後一筆平倉的每個交易日都算，沒有交易的日子是 0；無風險利率 0。TradingView 用月報酬、年利率 2%、不年化，所以數字不同。',
  },
  recovery_factor: {
    label: '回復因子',
    kind: 'ratio',
    formula: '淨損益 ÷ 最大回撤',
    inputs: ['net_profit', 'max_drawdown'],
    behind: 'fall',
  },
  trade_count: {
    label: '交易次數',
    unit: '筆',
    kind: 'count',
    formula: '已平倉的筆數；分批平倉時每一批算一筆',
    inputs: ['win_count', 'loss_count', 'even_count', 'excluded_count'],
    behind: 'all',
    note: '依先進先出把進場與出場配對。缺價格、價格可疑或已作廢的不列入。',
  },
  underwater_days: {
    label: '最長未創高',
    unit: '交易日',
    kind: 'days',
    formula: '收盤權益低於先前最高點的連續交易日，取最長',
    inputs: ['max_drawdown'],
    behind: 'fall',
  },
  max_consecutive_wins: {
    label: '最大連勝',
    unit: '筆',
    kind: 'count',
    formula: '連續獲利的筆數，取最長；打平會中斷',
    inputs: ['win_count'],
    behind: 'win_run',
  },
  max_consecutive_losses: {
    label: '最大連敗',
    unit: '筆',
    kind: 'count',
    formula: '連續虧損的筆數，取最長；打平會中斷',
    inputs: ['loss_count'],
    behind: 'loss_run',
  },
  gross_profit: {
    label: '總獲利',
    kind: 'money',
    formula: '獲利交易的淨損益相加',
    inputs: ['win_count'],
    behind: 'wins',
  },
  gross_loss: {
    label: '總虧損',
    kind: 'money',
    formula: '虧損交易的淨損益相加，寫成正數',
    inputs: ['loss_count'],
    behind: 'losses',
  },
  avg_win: {
    label: '平均獲利',
    kind: 'money',
    formula: '總獲利 ÷ 獲利筆數',
    inputs: ['gross_profit', 'win_count'],
    behind: 'wins',
  },
  avg_loss: {
    label: '平均虧損',
    kind: 'money',
    formula: '總虧損 ÷ 虧損筆數，寫成正數',
    inputs: ['gross_loss', 'loss_count'],
    behind: 'losses',
  },
  largest_win: {
    label: '最大單筆獲利',
    kind: 'signed',
    formula: '淨損益最高的一筆',
    inputs: [],
    behind: 'largest_win',
  },
  largest_loss: {
    label: '最大單筆虧損',
    kind: 'signed',
    formula: '淨損益最低的一筆',
    inputs: [],
    behind: 'largest_loss',
  },
  total_gross: {
    label: '毛損益',
    kind: 'signed',
    formula: '（出場價 − 進場價）× 方向 × 每點價值 × 數量，相加',
    inputs: ['trade_count'],
    behind: 'all',
  },
  total_fee: {
    label: '手續費',
    kind: 'money',
    formula: '進場與出場兩邊的手續費相加',
    inputs: ['trade_count'],
    behind: 'all',
  },
  total_tax: {
    label: '交易稅',
    kind: 'money',
    formula: '期貨：每口每邊契約金額 × 稅率，四捨五入到元；股票：賣出金額 × 稅率，無條件捨去',
    inputs: ['trade_count'],
    behind: 'all',
  },
  total_slippage: {
    label: '滑價',
    kind: 'money',
    formula: '設定的滑價檔數 × 每檔價值，進出兩邊',
    inputs: ['trade_count'],
    behind: 'all',
  },
  avg_holding_minutes: {
    label: '平均持有',
    kind: 'minutes',
    formula: '出場時間 − 進場時間，平均',
    inputs: ['median_holding_minutes', 'max_holding_minutes'],
    behind: 'all',
    note: '以訊號時間計算，包含休市的時間。',
  },
  median_holding_minutes: {
    label: '持有中位數',
    kind: 'minutes',
    formula: '持有時間由短到長排列，正中間的一筆',
    inputs: ['avg_holding_minutes', 'max_holding_minutes'],
    behind: 'all',
  },
  max_holding_minutes: {
    label: '最長持有',
    kind: 'minutes',
    formula: '持有時間最長的一筆',
    inputs: ['avg_holding_minutes'],
    behind: 'all',
  },
}

const COUNTS: Record<
  'win_count' | 'loss_count' | 'even_count' | 'excluded_count' | 'initial_capital',
  [string, Metric]
> = {
  win_count: ['獲利筆數', 'count'],
  loss_count: ['虧損筆數', 'count'],
  even_count: ['打平筆數', 'count'],
  excluded_count: ['價格未定，不列入', 'count'],
  initial_capital: ['期初權益', 'money'],
}

/** The figure of a summary in words; a profit factor without a loss is ∞. */
export function figureText(key: FigureKey, summary: StatsSummary, masked: boolean): string {
  if (key === 'profit_factor' && summary.profit_factor_reason === 'no_loss') return '∞'
  return written(summary[key], FIGURES[key].kind, masked)
}

/** What goes into a figure: label and value. */
export function inputsOf(
  key: FigureKey,
  summary: StatsSummary,
  figures: Pick<Statistics, 'initial_capital'>,
  masked: boolean,
): { label: string; value: string }[] {
  return FIGURES[key].inputs.map((input) => {
    const [label, kind] =
      input in COUNTS
        ? COUNTS[input as keyof typeof COUNTS]
        : [FIGURES[input as FigureKey].label, FIGURES[input as FigureKey].kind]
    const value = input === 'initial_capital' ? figures.initial_capital : summary[input]
    const unit = masked && isMoney(kind) ? '' : UNITS[kind]
    return { label, value: `${written(value, kind, masked)}${value === null ? '' : unit}` }
  })
}

// A value of the statistics as it is written, by what kind of value it is.

export type Metric = 'money' | 'loss' | 'fall' | 'signed' | 'percent' | 'ratio' | 'count' | 'minutes' | 'days'

/** True of amounts in NT$. */
export function isMoney(kind: Metric): boolean {
  return kind === 'money' || kind === 'signed' || kind === 'loss'
}

const WRITTEN = {
  money: number,
  loss: (value) => minus(number(value)),
  fall: (value) => (value === 0 ? '0%' : minus(percent(value))),
  signed,
  percent,
  ratio,
  count: number,
  minutes: held,
  days: number,
} satisfies Record<Metric, (value: number) => string>

/** What stands behind a value that goes into a figure. */
export const UNITS = {
  money: ' 元',
  loss: ' 元',
  fall: '',
  signed: ' 元',
  percent: '',
  ratio: '',
  count: ' 筆',
  minutes: '',
  days: '',
} satisfies Record<Metric, string>

/** A value as it is written; money masked in privacy mode. */
export function written(value: number | null, kind: Metric, masked: boolean): string {
  if (masked && isMoney(kind)) return MASK
  return value === null ? '—' : WRITTEN[kind](value)
}

// The parts of a strategy's trades that have figures of their own.

export type OverviewPart = 'summary' | 'long' | 'short' | 'day' | 'night'
export const PART_TEXT: Record<OverviewPart, string> = {
  summary: '全部交易',
  long: '多單',
  short: '空單',
  day: '日盤平倉',
  night: '夜盤平倉',
}

/** The trades of a part, of those at hand. */
export function tradesOf(
  figures: Pick<Statistics, 'trades'>,
  part: OverviewPart,
  market: { asset: 'futures' | 'stock'; has_night: boolean; closed_days: readonly string[] },
): readonly Trade[] {
  if (part === 'summary') return figures.trades
  const { has_night, closed_days, asset } = market
  return partition(figures.trades, { has_night, closed_days: new Set(closed_days), market: asset })[part]
}

// The trades behind a figure: which of those at hand made it, newest first.

/** Of `trades` in any order; runs and falls are looked for in the order of exits. */
export function behindOf(trades: readonly Trade[], which: Behind): Trade[] {
  const sorted = byExit(trades)
  return chosen(sorted, which).reverse()
}

function chosen(sorted: Trade[], which: Behind): Trade[] {
  const wins = sorted.filter(({ net }) => net > 0)
  const losses = sorted.filter(({ net }) => net < 0)
  switch (which) {
    case 'all':
      return sorted
    case 'wins':
      return wins
    case 'losses':
      return losses
    case 'largest_win':
      return wins.filter(({ net }) => wins.every((other) => other.net <= net)).slice(0, 1)
    case 'largest_loss':
      return losses.filter(({ net }) => losses.every((other) => other.net >= net)).slice(0, 1)
    case 'win_run':
      return longestRun(sorted, (net) => net > 0)
    case 'loss_run':
      return longestRun(sorted, (net) => net < 0)
    case 'fall':
      return deepestFall(sorted)
  }
}

function longestRun(sorted: readonly Trade[], hit: (net: number) => boolean): Trade[] {
  let [best, run]: [Trade[], Trade[]] = [[], []]
  for (const trade of sorted) {
    run = hit(trade.net) ? [...run, trade] : []
    if (run.length > best.length) best = run
  }
  return best
}

/** From the trade after the peak to the one at the bottom. */
function deepestFall(sorted: readonly Trade[]): Trade[] {
  let [equity, peak, deepest] = [0n, 0n, 0n]
  let [after_peak, from, to] = [0, 0, 0]
  sorted.forEach((trade, at) => {
    equity += scaled(trade.net)
    if (equity > peak) [peak, after_peak] = [equity, at + 1]
    if (peak - equity > deepest) [deepest, from, to] = [peak - equity, after_peak, at + 1]
  })
  return sorted.slice(from, to)
}
