/* 月曆 and 分布 of the P&L, and what is drawn as tables: for eyes that want figures, and for who hears the page. */

import { useState } from 'react'
import type { Statistics } from '#contract/statistics.ts'
import { MASK, number, signed, signedPercent, ymd } from '#text/format.ts'
import { curveOfDays } from '#trading/day.ts'
import { Table } from '#ui/Card.tsx'
import { Masked } from '#ui/Figures.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { cx } from '#ui/open.ts'
import css from '../OverviewTab.module.css'
import { type DayRow, shortMoney } from './days.ts'

const ROWS = 250
const WEEKDAYS = ['一', '二', '三', '四', '五', '六', '日'] as const

const amount = (value: number, masked: boolean) => (masked ? <Masked /> : signed(value))
const toneOf = (value: number) => (value > 0 ? 'up' : value < 0 ? 'down' : undefined)
/** In decimals. */
const sumOf = (rows: readonly DayRow[]) =>
  curveOfDays(new Map(rows.map(({ day, net }) => [day, net]))).at(-1)?.equity ?? 0

/** `table` in place of the picture; what the figures do not know (kept from before) is not drawn. `capital` measures shares in privacy mode. */
export type PnlViewsProps = {
  view: 'curve' | 'daily' | 'calendar' | 'spread'
  table?: boolean
  daily: readonly DayRow[] | undefined
  bins: Bins | undefined
  masked: boolean
  capital: number | null
  apart: boolean
  onDay: (day: string) => void
}

export function PnlViews({ view, table = false, daily, bins, masked, capital, apart, onDay }: PnlViewsProps) {
  if (view === 'spread') {
    if (!bins) return null
    return table ? (
      <DistributionTable bins={bins} masked={masked} capital={capital} />
    ) : (
      <Distribution bins={bins} masked={masked} capital={capital} apart={apart} />
    )
  }
  if (!daily) return null
  return table ? (
    <DayTable daily={daily} masked={masked} />
  ) : (
    <Calendar daily={daily} masked={masked} capital={capital} onDay={onDay} />
  )
}

/** Each trading date on which something closed, newest first. */
function DayTable({ daily, masked }: { daily: readonly DayRow[]; masked: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section className={css.PnlViewsTable} aria-label="逐日淨損益" tabIndex={0}>
      <Table className="num">
        <thead>
          <tr>
            <th>交易日</th>
            <th className="n">淨損益（元）</th>
            <th className="n">多</th>
            <th className="n">空</th>
            <th className="n">筆數</th>
          </tr>
        </thead>
        <tbody>
          {daily
            .slice(-ROWS)
            .reverse()
            .map((row) => (
              <tr key={row.day}>
                <td>{ymd(row.day)}</td>
                <td className={cx('n', !masked && toneOf(row.net))}>{amount(row.net, masked)}</td>
                <td className="n">{amount(row.long, masked)}</td>
                <td className="n">{amount(row.short, masked)}</td>
                <td className="n">{number(row.trades)}</td>
              </tr>
            ))}
        </tbody>
      </Table>
      {daily.length > ROWS && <p className="t12 ink3">最新 {ROWS} 個交易日</p>}
    </section>
  )
}

/** A month at a time; a day opens into its trades. `capital` what shares are measured by in privacy mode. */
function Calendar({
  daily,
  masked,
  capital,
  onDay,
}: {
  daily: readonly DayRow[]
  masked: boolean
  capital: number | null
  onDay: (day: string) => void
}) {
  const months = monthsOf(daily)
  const [chosen, setChosen] = useState<string | null>(null)
  const at = chosen !== null && months.includes(chosen) ? months.indexOf(chosen) : months.length - 1
  const month = months[at]
  if (month === undefined) return null
  const by_day = new Map(daily.map((row) => [row.day, row]))
  const own = daily.filter(({ day }) => day.startsWith(month))
  const most = Math.max(...daily.map(({ net }) => Math.abs(net)))
  // a make-up day on a Saturday is rare: without one the week has five days, the whole time through
  const columns = Math.max(5, ...daily.map(({ day }) => weekdayOf(day)))
  const [year, number_] = month.split('-').map(Number)
  const shown = (net: number) => (!masked ? shortMoney(net) : capital ? signedPercent(net / capital) : MASK)
  const net = sumOf(own)
  const trades = own.reduce((total, row) => total + row.trades, 0)
  return (
    <div className={css.PnlViewsCalendar}>
      <div className={css.PnlViewsMonth}>
        <IconButton
          icon="chevron-left"
          label="上個月"
          disabled={at === 0}
          onClick={() => setChosen(months[at - 1] ?? null)}
        />
        <p className="num" aria-live="polite">
          <b>
            {year} 年 {number_} 月
          </b>
          <span className={cx(!masked && toneOf(net))}>{shown(net)}</span>
          <span className="t13 ink3">{number(trades)} 筆</span>
        </p>
        <IconButton
          icon="chevron-right"
          label="下個月"
          disabled={at === months.length - 1}
          onClick={() => setChosen(months[at + 1] ?? null)}
        />
      </div>
      <table className={cx(css.PnlViewsDays, 'num')} aria-label={`${year} 年 ${number_} 月每日淨損益`}>
        <thead>
          <tr>
            {WEEKDAYS.slice(0, columns).map((name) => (
              <th key={name} scope="col">
                <span className="vh">週</span>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month, columns).map((week, at_week) => (
            <tr key={week.find((day) => day !== null) ?? `after ${at_week}`}>
              {week.map((day, index) => {
                const row = day === null ? undefined : by_day.get(day)
                return (
                  <td key={WEEKDAYS[index]}>
                    {day !== null && row ? (
                      <button
                        type="button"
                        className={css[heatOf(row.net, most)]}
                        aria-label={`${ymd(day)} ${masked ? (capital ? shown(row.net) : '') : `${signed(row.net)} 元`} ${row.trades} 筆`}
                        onClick={() => onDay(day)}
                      >
                        <small>{Number(day.slice(8))}</small>
                        <b>{shown(row.net)}</b>
                      </button>
                    ) : (
                      day !== null && <small>{Number(day.slice(8))}</small>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Each month from the first day to the last, YYYY-MM. */
function monthsOf(daily: readonly DayRow[]): string[] {
  const [first, last] = [daily[0]?.day.slice(0, 7), daily.at(-1)?.day.slice(0, 7)]
  const months: string[] = []
  for (let month = first; month && last && month <= last; ) {
    months.push(month)
    const [year = 0, n = 1] = month.split('-').map(Number)
    month = n === 12 ? `${year + 1}-01` : `${year}-${String(n + 1).padStart(2, '0')}`
  }
  return months
}

/** 1 Monday to 7 Sunday. */
const weekdayOf = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

/** The weeks of a month from Monday on, null before its first day and after its last; weeks of which `columns` show nothing are left out, and there are as many of them in every month: the next one moves nothing. */
function weeksOf(month: string, columns: number): (string | null)[][] {
  const [year = 0, n = 1] = month.split('-').map(Number)
  const count = new Date(Date.UTC(year, n, 0)).getUTCDate()
  const before = weekdayOf(`${month}-01`) - 1
  const cells = [
    ...Array.from({ length: before }, () => null),
    ...Array.from({ length: count }, (_, at) => `${month}-${String(at + 1).padStart(2, '0')}`),
  ]
  const weeks = Array.from({ length: 7 }, (_, week) =>
    Array.from({ length: columns }, (_, day) => cells[week * 7 + day] ?? null),
  )
  const first = weeks.findIndex((week) => week.some((day) => day !== null))
  return weeks.slice(first, first + (columns === 5 ? 5 : 6))
}

/** Quarters of the largest day. */
function heatOf(net: number, most: number): string {
  if (net === 0 || most === 0) return 'PnlViewsFlat'
  const level = Math.min(4, Math.floor((Math.abs(net) / most) * 4) + 1)
  return `${net > 0 ? 'HeatRise' : 'HeatFall'}${level}`
}

type Bins = NonNullable<Statistics['distribution']>

/** How many trades ended where; `apart` long and short side by side. `capital` what shares are measured by in privacy mode. */
function Distribution({
  bins,
  masked,
  capital,
  apart,
}: {
  bins: Bins
  masked: boolean
  capital: number | null
  apart: boolean
}) {
  const most = Math.max(1, ...bins.map(({ long, short }) => (apart ? Math.max(long, short) : long + short)))
  const count = (of: (bin: Bins[number]) => boolean) =>
    bins.filter(of).reduce((total, { long, short }) => total + long + short, 0)
  const edge = edgeText(masked, capital)
  const [first, last] = [bins[0], bins.at(-1)]
  if (!first || !last) return null
  const zero = bins.findIndex(({ from }) => from === 0)
  return (
    <div className={css.PnlViewsSpread}>
      <p className={cx(css.PnlViewsName, 'num')}>
        <span>{apart ? '每筆淨損益的筆數，左多右空' : '每筆淨損益的筆數'}</span>
        <span>{masked && !capital ? '' : masked ? '占初始資金' : '元'}</span>
      </p>
      <div
        className={cx(css.PnlViewsBars, 'num')}
        role="img"
        aria-label={`每筆淨損益的分布，賺 ${count(({ from }) => from >= 0)} 筆，賠 ${count(({ from }) => from < 0)} 筆`}
      >
        {bins.map(({ from, long, short }) => {
          const parts = apart ? [long, short] : [long + short]
          return (
            <div key={from} className={css.PnlViewsBin}>
              {parts.map((trades, side) => (
                <div
                  key={side === 0 ? 'long' : 'short'}
                  className={cx(css.PnlViewsBar, from < 0 ? 'down' : 'up')}
                >
                  {trades > 0 && <small className={cx(apart && css.PnlViewsThin)}>{trades}</small>}
                  <i
                    className={cx(side === 1 && css.PnlViewsPale)}
                    style={{ height: `${(trades / most) * 100}%` }}
                  />
                </div>
              ))}
            </div>
          )
        })}
      </div>
      <p className={cx(css.PnlViewsAxis, 'num')} aria-hidden="true">
        <span>{edge(first.from) || '賠'}</span>
        {zero > 0 && <span style={{ left: `${(zero / bins.length) * 100}%` }}>0</span>}
        <span>{edge(last.to) || '賺'}</span>
      </p>
    </div>
  )
}

function DistributionTable({
  bins,
  masked,
  capital,
}: {
  bins: Bins
  masked: boolean
  capital: number | null
}) {
  const edge = edgeText(masked, capital)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section className={css.PnlViewsTable} aria-label="每筆淨損益的分布" tabIndex={0}>
      <Table className="num">
        <thead>
          <tr>
            <th>每筆淨損益</th>
            <th className="n">多</th>
            <th className="n">空</th>
            <th className="n">筆數</th>
          </tr>
        </thead>
        <tbody>
          {bins
            .filter(({ long, short }) => long + short > 0)
            .toReversed()
            .map(({ from, to, long, short }) => (
              <tr key={from}>
                <td>{edge(from) ? `${edge(from)} 到未滿 ${edge(to)}` : from < 0 ? '賠' : '賺'}</td>
                <td className="n">{number(long)}</td>
                <td className="n">{number(short)}</td>
                <td className="n">{number(long + short)}</td>
              </tr>
            ))}
        </tbody>
      </Table>
    </section>
  )
}

/** A border in words; empty where nothing may be said. */
function edgeText(masked: boolean, capital: number | null) {
  return (value: number): string => {
    if (value === 0) return '0'
    if (masked) return capital ? signedPercent(value / capital) : ''
    return signed(value)
  }
}
