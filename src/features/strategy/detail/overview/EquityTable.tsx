/* The curve as a table, over the chart in its place: opening it moves nothing on the page. */

import { number, ymd } from '#text/format.ts'
import { Table } from '#ui/Card.tsx'
import { Masked } from '#ui/Figures.tsx'
import { cx } from '#ui/open.ts'
import type { DayPoint } from './days.ts'
import css from './EquityTable.module.css'
import { fallText } from './equity.ts'

const ROWS = 250

/** `points` with their opening, which is no day of its own. */
export function EquityTable({ points, masked }: { points: readonly DayPoint[]; masked: boolean }) {
  const days = points.slice(1)
  const shown = days.slice(-ROWS).reverse()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section className={css.root} aria-label="逐日權益與回撤" tabIndex={0}>
      <Table className={cx(css.table, 'num')}>
        <thead>
          <tr>
            <th>交易日</th>
            <th className="n">日終權益（元）</th>
            <th className="n">當日最深回撤</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((point) => (
            <tr key={point.day}>
              <td>{ymd(point.day)}</td>
              <td className="n">{masked ? <Masked /> : number(point.equity)}</td>
              <td className="n">{fallText(point, masked)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {days.length > ROWS && <p className="t12 ink3">最新 {ROWS} 個交易日</p>}
    </section>
  )
}
