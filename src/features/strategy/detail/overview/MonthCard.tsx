/* 月報酬: a row per year with its months, coloured by how much; a month opens into its trades. */
import type { Statistics } from '#contract/statistics.ts'
import { MASK, signed, signedPercent } from '#text/format.ts'
import { Card } from '#ui/Card.tsx'
import { cx } from '#ui/open.ts'
import css from './MonthCard.module.css'
import { shortMoney, shortPercent } from './month.ts'

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
      className={css.root}
    >
      <div className={cx(css.years, 'num')}>
        {years.map((year) => (
          <section key={year.year} className={css.year} aria-label={`${year.year} 年`}>
            <h3>{year.year}</h3>
            <ul>
              {MONTHS.map((month) => {
                const label = `${year.year}-${month}`
                const cell = months.get(label)
                return (
                  <li key={month} className={cx(!cell && css.none)}>
                    <span className={css.name}>{Number(month)}月</span>
                    {cell ? (
                      shown(cell, label, `${year.year} 年 ${Number(month)} 月`, true)
                    ) : (
                      <span className={cx(css.empty, 'ink3')}>—</span>
                    )}
                  </li>
                )
              })}
              <li className={css.all}>
                <span className={css.name}>全年</span>
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
  return `${pct > 0 ? 'rise' : 'fall'}${level}`
}
