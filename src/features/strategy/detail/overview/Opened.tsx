/* What was tapped on the overview, a figure, a month or a day, with everything its sheet says. */
import type { Statistics } from '#contract/statistics.ts'
import type { Strategy } from '#contract/strategy.ts'
import { MASK, signed, signedPercent, ymd } from '#text/format.ts'
import { assetOf } from '#trading/kinds.ts'
import type { Trade } from '#trading/record.ts'
import { Delta } from '#ui/nouns/Delta.tsx'
import { behindOf } from './behind.ts'
import { FigureSheet } from './FigureSheet.tsx'
import { type OverviewPart, PART_TEXT, tradesOf } from './parts.ts'
import { FIGURES, type FigureKey, figureText, inputsOf } from './words.ts'
import { isMoney } from './written.ts'

export type Question = { figure: FigureKey; part: OverviewPart } | { month: string } | { day: string }

export type OpenedProps = {
  question: Question
  strategy: Strategy
  figures: Statistics
  closed_days: readonly string[]
  night: boolean
  masked: boolean
  onTrade: (trade: Trade) => void
  onClose: () => void
}

export function Opened({
  question,
  strategy,
  figures,
  closed_days,
  night,
  masked,
  onTrade,
  onClose,
}: OpenedProps) {
  const since = figures.from === null ? '' : `自 ${ymd(figures.from)} 起 · `
  const common = {
    masked,
    onTrade,
    onClose,
    more: figures.trades_before !== null,
    trades_href: `/strategies/${strategy.id}?tab=trades`,
  }
  if ('day' in question) {
    const { day } = question
    const row = figures.daily?.find((one) => one.day === day)
    if (!row) return null
    return (
      <FigureSheet
        {...common}
        title={ymd(day)}
        subtitle="依平倉的交易日"
        value={<Delta value={row.net} unit="元" masked={masked} />}
        formula="這個交易日平倉的淨損益相加"
        inputs={[
          { label: '多單', value: masked ? MASK : `${signed(row.long)} 元` },
          { label: '空單', value: masked ? MASK : `${signed(row.short)} 元` },
          { label: '交易次數', value: `${row.trades} 筆` },
        ]}
        note="夜盤算在下一個交易日。"
        trades={behindOf(
          figures.trades.filter(({ exit_trading_date }) => exit_trading_date === day),
          'all',
        )}
      />
    )
  }
  if ('month' in question) {
    const { month } = question
    const row =
      figures.monthly.find((one) => one.month === month) ?? figures.yearly.find((one) => one.year === month)
    if (!row) return null
    const [year, number] = month.split('-')
    return (
      <FigureSheet
        {...common}
        title={number ? `${year} 年 ${Number(number)} 月` : `${year} 全年`}
        subtitle={`${since}依平倉的交易日`}
        value={
          <>
            <Delta value={row.net} unit="元" masked={masked} />
            {row.pct !== null && <span className="t16 ink2"> {signedPercent(row.pct)}</span>}
          </>
        }
        formula={`淨損益相加 ÷ ${number ? '月' : '年'}初權益`}
        inputs={[{ label: '交易次數', value: `${row.trades} 筆` }]}
        note="夜盤算在下一個交易日，所以月底的夜盤可能屬於下個月。"
        trades={behindOf(
          figures.trades.filter(({ exit_trading_date }) => exit_trading_date.startsWith(month)),
          'all',
        )}
      />
    )
  }
  const { figure, part } = question
  const { label, unit, formula, note, behind, kind } = FIGURES[figure]
  const asset = assetOf(strategy)
  const trades = tradesOf(figures, part, { asset, has_night: night, closed_days })
  return (
    <FigureSheet
      {...common}
      title={label}
      subtitle={`${since}${PART_TEXT[part]}`}
      value={
        <>
          {figureText(figure, figures[part], masked)}
          <small>{unit ?? (isMoney(kind) && !masked ? '元' : '')}</small>
        </>
      }
      formula={formula}
      inputs={inputsOf(figure, figures[part], figures, masked)}
      note={note ?? null}
      trades={behindOf(trades, behind)}
    />
  )
}
