/* 統計: the ten figures people look at, for all trades or one side. */

import type { ReactNode } from 'react'
import type { Statistics, StatsSummary } from '#contract/statistics.ts'
import { useGo } from '#screen/go.ts'
import { MASK, minus, number, percent, signed, signedPercent } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { cx } from '#ui/open.ts'
import { Segments } from '#ui/Segments.tsx'
import css from '../OverviewTab.module.css'
import { equityText, shortMoney, shortPercent } from './days.ts'
import { FIGURES, type FigureKey, figureText, type OverviewPart } from './words.ts'

const KEYS: readonly FigureKey[] = [
  'win_rate',
  'profit_factor',
  'payoff_ratio',
  'expectancy',
  'max_drawdown_pct',
  'sharpe',
  'recovery_factor',
  'trade_count',
  'underwater_days',
  'max_consecutive_losses',
]
const SIDES = [
  { value: 'summary', label: '全部' },
  { value: 'long', label: '多' },
  { value: 'short', label: '空' },
] as const

/** `part` which trades the figures speak of. */
export type StatsCardProps = {
  figures: Statistics
  part: OverviewPart
  onPart: (part: OverviewPart) => void
  masked: boolean
  onFigure: (key: FigureKey) => void
  /** Where the capital is written down, while nobody has. */
  asks: string | null
}

export function StatsCard({ figures, part, onPart, masked, onFigure, asks }: StatsCardProps) {
  const { go } = useGo()
  const summary = figures[part]
  const remark = {
    ...(summary.trade_count > 0 && { win_rate: `${summary.win_count} 勝 ${summary.loss_count} 負` }),
    ...(summary.max_drawdown > 0 && {
      max_drawdown_pct: masked ? MASK : `${minus(number(summary.max_drawdown))} 元`,
    }),
  }
  return (
    <Card
      title="統計"
      className={css.StatsCard}
      action={<Segments label="方向" value={part} onChange={onPart} options={SIDES} />}
    >
      <FigureRows keys={KEYS} summary={summary} masked={masked} remark={remark} onFigure={onFigure} />
      {asks !== null && (
        <div className={cx(css.StatsCardNote, 'row gap8')}>
          <p className="t12 ink3 sp">算最大回撤要初始資金。</p>
          <Button size="s" {...go(asks)}>
            填初始資金
          </Button>
        </div>
      )}
      {summary.max_drawdown > 0 && asks === null && (
        <p className={cx(css.StatsCardNote, 't12 ink3')}>
          最大回撤的{equityText(figures, masked, part)}，不含未平倉。
        </p>
      )}
      {summary.small_sample && summary.trade_count > 0 && (
        <p className={cx(css.StatsCardNote, 't12 ink3')}>
          只有 {summary.trade_count} 筆，樣本數少，僅供參考
          {summary.trade_count > 1 &&
            summary.win_rate !== null &&
            `（勝率 ${percent(summary.win_rate, 0)} 可能只是運氣）`}
          。
        </p>
      )}
    </Card>
  )
}

/* Figures as rows, each a button that opens into its formula and trades. */

/** `remark` small before the value. */
export type FigureRowsProps = {
  keys: readonly FigureKey[]
  summary: StatsSummary
  masked: boolean
  remark?: Partial<Record<FigureKey, ReactNode>>
  onFigure: (key: FigureKey) => void
}

export function FigureRows({ keys, summary, masked, remark = {}, onFigure }: FigureRowsProps) {
  return (
    <ul className={cx(css.FigureRows, 'num')}>
      {keys.map((key) => (
        <li key={key}>
          <button type="button" onClick={() => onFigure(key)}>
            <span className={css.FigureRowsName}>
              {FIGURES[key].label}
              {FIGURES[key].unit && <i>{FIGURES[key].unit}</i>}
            </span>
            {remark[key] && <small>{remark[key]}</small>}
            <b>{figureText(key, summary, masked)}</b>
          </button>
        </li>
      ))}
    </ul>
  )
}

/* 多空與日夜: the same few figures side by side for the parts of the record. */

const SPLIT_KEYS: readonly FigureKey[] = [
  'net_profit',
  'trade_count',
  'win_rate',
  'profit_factor',
  'payoff_ratio',
  'expectancy',
  'avg_win',
  'avg_loss',
  'max_drawdown',
]

/** `night` whether the market has a night session. */
export type SplitCardProps = {
  figures: Statistics
  night: boolean
  masked: boolean
  onFigure: (key: FigureKey, part: OverviewPart) => void
}

export function SplitCard({ figures, night, masked, onFigure }: SplitCardProps) {
  const parts: { part: OverviewPart; label: string }[] = [
    { part: 'long', label: '多' },
    { part: 'short', label: '空' },
    ...(night
      ? ([
          { part: 'day', label: '日盤' },
          { part: 'night', label: '夜盤' },
        ] as const)
      : []),
  ]
  const outside = figures.summary.trade_count - figures.day.trade_count - figures.night.trade_count
  return (
    <Card
      title={night ? '多空與日夜盤' : '多空'}
      remark={
        night && (
          <span className="t13 ink3">
            {outside > 0 ? `另有 ${outside} 筆在非交易時段平倉` : '日夜依平倉的時間'}
          </span>
        )
      }
      flush
    >
      <div className={css.SplitCardScroll}>
        <table className={cx(css.SplitCardTable, 'num')}>
          <thead>
            <tr>
              <th>
                <span className="vh">數字</span>
              </th>
              {parts.map(({ part, label }) => (
                <th key={part} className={cx(css.SplitCardPart, 'n')} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {SPLIT_KEYS.map((key) => (
              <tr key={key}>
                <th scope="row">{FIGURES[key].label}</th>
                {parts.map(({ part, label }) => (
                  <td key={part} className={cx(css.SplitCardPart, 'n')}>
                    <button
                      type="button"
                      className={
                        key === 'net_profit' && !masked ? toneOf(figures[part].net_profit) : undefined
                      }
                      aria-label={`${label}${FIGURES[key].label} ${figureText(key, figures[part], masked)}`}
                      onClick={() => onFigure(key, part)}
                    >
                      {figureText(key, figures[part], masked)}
                    </button>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

function toneOf(value: number): 'up' | 'down' | undefined {
  return value > 0 ? 'up' : value < 0 ? 'down' : undefined
}

/* 月報酬: a row per year with its months, coloured by how much; a month opens into its trades. */

const MONTHS = Array.from({ length: 12 }, (_, i) => String(i + 1).padStart(2, '0'))

type Cell = { net: number; pct: number | null; trades: number }
/** `onMonth` gets `YYYY-MM` or `YYYY`. */
export type MonthCardProps = { figures: Statistics; masked: boolean; onMonth: (label: string) => void }

export function MonthCard({ figures, masked, onMonth }: MonthCardProps) {
  const months = new Map(figures.monthly.map((row) => [row.month, row]))
  const years = figures.yearly.toReversed()
  const shown = (cell: Cell, label: string, name: string, heat: boolean) => (
    <button
      type="button"
      className={cx(heat && css[heatOf(cell.pct)])}
      disabled={cell.trades === 0}
      aria-label={`${name} ${cell.pct === null ? '' : signedPercent(cell.pct)} ${masked ? '' : `${signed(cell.net)} 元`} ${cell.trades} 筆`}
      onClick={() => onMonth(label)}
    >
      <b>{cell.pct === null ? '—' : heat ? shortPercent(cell.pct) : signedPercent(cell.pct)}</b>
      <small>{masked ? MASK : heat ? shortMoney(cell.net) : signed(cell.net)}</small>
    </button>
  )
  return (
    <Card
      title="月報酬"
      remark={<span className="t13 ink3 desk">依平倉的交易日，百分比以月初權益為準</span>}
      className={css.MonthCard}
    >
      <div className={cx(css.MonthCardYears, 'num')}>
        {years.map((year) => (
          <section key={year.year} className={css.MonthCardYear} aria-label={`${year.year} 年`}>
            <h3>{year.year}</h3>
            <ul>
              {MONTHS.map((month) => {
                const label = `${year.year}-${month}`
                const cell = months.get(label)
                return (
                  <li key={month} className={cx(!cell && css.MonthCardNone)}>
                    <span className={css.MonthCardName}>{Number(month)}月</span>
                    {cell ? (
                      shown(cell, label, `${year.year} 年 ${Number(month)} 月`, true)
                    ) : (
                      <span className={cx(css.MonthCardEmpty, 'ink3')}>—</span>
                    )}
                  </li>
                )
              })}
              <li className={css.MonthCardAll}>
                <span className={css.MonthCardName}>全年</span>
                {shown(year, year.year, `${year.year} 全年`, false)}
              </li>
            </ul>
          </section>
        ))}
      </div>
    </Card>
  )
}

/** |month| < 2 %, < 4 %, < 7 %, ≥ 7 % → levels 1 to 4. */
function heatOf(pct: number | null): string {
  if (pct === null || pct === 0) return ''
  const size = Math.abs(pct)
  const level = size < 0.02 ? 1 : size < 0.04 ? 2 : size < 0.07 ? 3 : 4
  return `${pct > 0 ? 'HeatRise' : 'HeatFall'}${level}`
}
