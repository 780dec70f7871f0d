/* The step line as a table, over the chart in its place: every change with its price and the average it left. */

import type { SignalRecord } from '#contract/signal.ts'
import { mdHms, number, taipei } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { averageText, priceOf, priceText } from '#text/row.ts'
import { positionText } from '#text/signal.ts'
import { Table } from '#ui/Card.tsx'
import css from './HistoryTable.module.css'
import type { PositionChange } from './history.ts'

const ROWS = 250

/** Oldest first. */
export function HistoryTable({ changes }: { changes: readonly PositionChange<SignalRecord>[] }) {
  const shown = changes.slice(-ROWS).reverse()
  const year = taipei(serverNow()).year
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section className={css.table} aria-label="每次變化" tabIndex={0}>
      <Table className="num">
        <thead>
          <tr>
            <th>時間</th>
            <th className="n">部位</th>
            <th className="n">價格</th>
            <th className="n">均價</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ record, before, after }) => {
            const at = taipei(record.occurred_at)
            const price = priceOf(record)
            const average = record.derived.avg_price_after
            return (
              <tr key={record.id}>
                <td>
                  {at.year !== year && `${at.year}/`}
                  {mdHms(record.occurred_at)}
                </td>
                <td className="n">
                  {positionText(before, record.asset)} → <b>{positionText(after, record.asset)}</b>
                </td>
                <td className="n">{price === null ? '待補價' : priceText(record, price)}</td>
                <td className="n">{average === null ? '—' : averageText(record, average)}</td>
              </tr>
            )
          })}
        </tbody>
      </Table>
      {changes.length > ROWS && <p className="t12 ink3">最新 {number(ROWS)} 次變化</p>}
    </section>
  )
}
