/* What was tapped on the overview, a figure, a month or a day, with everything its sheet says. */

import type { ReactNode } from 'react'
import type { Statistics } from '#contract/statistics.ts'
import type { Strategy } from '#contract/strategy.ts'
import { useGo } from '#screen/go.ts'
import { MASK, signed, signedPercent, ymd } from '#text/format.ts'
import { assetOf } from '#trading/kinds.ts'
import type { Trade } from '#trading/record.ts'
import { Button } from '#ui/Button.tsx'
import { KeyValues } from '#ui/Figures.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { Delta } from '#ui/nouns/Delta.tsx'
import { cx } from '#ui/open.ts'
import css from '../OverviewTab.module.css'
import { FigureValue } from '../Standing.tsx'
import { TradeLine } from '../trades/TradeSheet.tsx'
import {
  behindOf,
  FIGURES,
  type FigureKey,
  figureText,
  inputsOf,
  isMoney,
  type OverviewPart,
  PART_TEXT,
  tradesOf,
} from './words.ts'

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

/* A figure opened: its formula with the numbers in it, why it may differ elsewhere, and the trades behind it. */

const SHOWN = 50

/** `value` as the page shows it; `more` older trades exist that this device does not hold. */
export type FigureSheetProps = {
  title: string
  subtitle: string
  value: ReactNode
  formula: string | null
  inputs: readonly { label: string; value: string }[]
  note: string | null
  trades: readonly Trade[]
  more: boolean
  masked: boolean
  trades_href: string
  onTrade: (trade: Trade) => void
  onClose: () => void
}

export function FigureSheet(props: FigureSheetProps) {
  const {
    title,
    subtitle,
    value,
    formula,
    inputs,
    note,
    trades,
    more,
    masked,
    trades_href,
    onTrade,
    onClose,
  } = props
  const { go } = useGo()
  return (
    <Sheet
      open
      onClose={onClose}
      title={title}
      subtitle={subtitle}
      foot={<Button {...go(trades_href)}>看所有交易</Button>}
    >
      <FigureValue>{value}</FigureValue>
      {formula && (
        <section className={css.FigureSheetPart}>
          <h3 className="t13 ink3">公式</h3>
          <p className="t14">{formula}</p>
          {inputs.length > 0 && <KeyValues rows={inputs} />}
        </section>
      )}
      {note && <p className={cx('t13 ink2', css.FigureSheetPart)}>{note}</p>}
      <section className={css.FigureSheetPart}>
        <h3 className="t13 ink3">
          {trades.length > SHOWN
            ? `背後的交易，最新 ${SHOWN} 筆，共 ${trades.length} 筆`
            : `背後的交易 ${trades.length} 筆`}
          {more && '（較早的在交易頁）'}
        </h3>
        <ul className={css.FigureSheetTrades}>
          {trades.slice(0, SHOWN).map((trade) => (
            <li key={trade.id}>
              <TradeLine trade={trade} masked={masked} onOpen={() => onTrade(trade)} />
            </li>
          ))}
        </ul>
      </section>
    </Sheet>
  )
}
