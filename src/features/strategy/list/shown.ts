// A strategy's figures as texts, the same for card and table.
import type { Strategy } from '#contract/strategy.ts'
import { minus, percent, ratio, signedPercent } from '#text/format.ts'
import { averageText, wordsOf } from '#text/row.ts'
import { heldText, positionWords } from '#text/signal.ts'
import { type Instant, when } from '#text/time.ts'
import { assetOf } from '#trading/kinds.ts'

/** All null or — while there is nothing to say. */
export type Shown = {
  net: number | null
  rate: string | null
  win_rate: string
  profit_factor: string
  drawdown: string
  /** 多 2 口 of the only position; several are counted in `held`. */
  seal: string | null
  held: string
  average: string | null
  last: string | null
}

const loss = (fraction: number | null) =>
  fraction === null ? '—' : fraction === 0 ? '0%' : minus(percent(Math.abs(fraction), 1))

/** `now` decides whether the last signal is told by time or date. */
export function shownOf(strategy: Strategy, now: Instant): Shown {
  const { summary, positions, last_signal } = strategy
  const traded = summary.trade_count > 0
  // a percent of a capital that nobody has given is none
  const measured = traded && !strategy.assumed?.includes('initial_capital')
  const asset = assetOf(strategy)
  const [position, ...more] = positions
  const words = positionWords(position?.quantity ?? 0, asset)
  const several = more.length > 0
  return {
    net: traded ? summary.net_profit : null,
    rate: measured && summary.total_return !== null ? signedPercent(summary.total_return) : null,
    win_rate: summary.win_rate === null ? '—' : percent(summary.win_rate, 1),
    profit_factor:
      summary.profit_factor === null && summary.profit_factor_reason === 'no_loss'
        ? '∞'
        : ratio(summary.profit_factor),
    drawdown: measured ? loss(summary.max_drawdown_pct) : '—',
    seal: several ? null : words.seal,
    held: several ? heldText(positions, asset) : words.held,
    average:
      several || !position || position.avg_price === null
        ? null
        : averageText(
            { asset, symbol: position.symbol, trading_date: strategy.updated_at.slice(0, 10) },
            position.avg_price,
          ),
    last:
      last_signal &&
      `${when(last_signal.occurred_at, now)} ${last_signal.derived.status === 'voided' ? '已作廢' : wordsOf(last_signal).word}`,
  }
}
