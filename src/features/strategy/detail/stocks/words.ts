// The figures of one stock in words: a column of the table each, or a line of what is opened.

import { MASK, number, percent, ratio, signed, signedPercent, ymd } from '#text/format.ts'
import { serverNowIso } from '#text/now.ts'
import { averageText, priceText } from '#text/row.ts'
import { positionWords, unvalued } from '#text/signal.ts'
import { taipeiDay } from '#trading/calendar.ts'
import type { StockFigures, StockRow, StockSort } from '#trading/stock-statistics.ts'

/** How the rows may be put in order, and what the choice says. */
export const ORDERS: Record<StockSort, string> = {
  net_pnl: '淨損益高的優先',
  unrealised_pnl: '未實現損益高的優先',
  win_rate: '勝率高的優先',
  trade_count: '交易多的優先',
  signal_count: '訊號多的優先',
  last_signal_at: '最近訊號優先',
  symbol: '依代號',
}

/** 2330 台積電; a stock whose name is not known is its code. */
export function nameOf({ symbol, name }: Pick<StockRow, 'symbol' | 'name'>): string {
  return name === symbol ? symbol : `${symbol} ${name}`
}

/** Held now, signed by a word where it is sold short. */
export function heldOf({ open_shares }: Pick<StockRow, 'open_shares'>): string {
  if (open_shares === 0) return '—'
  const { word, held } = positionWords(open_shares, 'stock')
  return open_shares < 0 ? word : held
}

const placeOf = (row: StockRow, at: string | null) => ({
  asset: 'stock' as const,
  symbol: row.symbol,
  trading_date: taipeiDay(at ?? serverNowIso()),
})
export const averageOf = (row: StockRow) =>
  row.avg_cost === null ? '—' : averageText(placeOf(row, row.last_price_at), row.avg_cost)
export const priceOf = (row: StockRow) =>
  row.last_price === null ? '—' : priceText(placeOf(row, row.last_price_at), row.last_price)

/** A rate in words; null as —. */
export const rate = (value: number | null) => (value === null ? '—' : percent(value, 1))
export const returned = (value: number | null) => (value === null ? '—' : signedPercent(value))
export const factor = (of: Pick<StockFigures, 'profit_factor' | 'profit_factor_reason'>) =>
  of.profit_factor_reason === 'no_loss' ? '∞' : ratio(of.profit_factor)

/** Nothing held has no value, and what has none yet says why. */
function openOf(row: StockRow, written: string): string {
  if (row.open_shares === 0) return '—'
  const why = unvalued({ avg_price: row.avg_cost, unrealised_pnl: row.unrealised_pnl })
  return why === null ? written : `—（${why}）`
}

/** What a sheet says of one stock, or of all of them; money masked in privacy mode. `whole` has no position of its own. */
export function linesOf(
  of: StockFigures,
  row: StockRow | null,
  masked: boolean,
): { label: string; value: string; total?: boolean }[] {
  const money = (value: number | null) => (value === null ? '—' : masked ? MASK : `${signed(value)} 元`)
  const days = of.avg_holding_days
  return [
    { label: '訊號（其中進場）', value: `${number(of.signal_count)}（${number(of.entry_count)}）筆` },
    { label: '交易（其中當沖）', value: `${number(of.trade_count)}（${number(of.day_trade_count)}）筆` },
    { label: '勝率', value: rate(of.win_rate) },
    { label: '總獲利', value: money(of.gross_profit) },
    { label: '總虧損', value: money(of.gross_loss === 0 ? 0 : -of.gross_loss) },
    { label: '淨損益', value: money(of.net_pnl), total: true },
    { label: '獲利因子', value: factor(of) },
    { label: '平均報酬率', value: returned(of.avg_return_pct) },
    { label: '最好的一筆', value: returned(of.best_return_pct) },
    { label: '最差的一筆', value: returned(of.worst_return_pct) },
    { label: '平均持有', value: days === null ? '—' : `${number(days, days % 1 === 0 ? 0 : 1)} 個交易日` },
    ...(row
      ? [
          { label: '持有', value: heldOf(row) },
          { label: '均價', value: averageOf(row) },
          {
            label: '參考價',
            value: row.last_price_at === null ? priceOf(row) : `${priceOf(row)}（${ymd(row.last_price_at)}）`,
          },
        ]
      : []),
    {
      label: '未實現損益',
      value: row ? openOf(row, money(row.unrealised_pnl)) : money(of.unrealised_pnl),
    },
  ]
}
