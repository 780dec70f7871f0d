/* The stocks as a table, for wide screens: heads put the rows in order, a row opens. */
import { mdHm, number } from '#text/format.ts'
import type { StockFigures, StockRow, StockSort } from '#trading/stock-statistics.ts'
import { Table } from '#ui/Card.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Delta } from '#ui/nouns/Delta.tsx'
import { cx } from '#ui/open.ts'
import css from './StocksTable.module.css'
import { averageOf, factor, heldOf, nameOf, priceOf, rate, returned } from './words.ts'

/** `rows` in their order; `total` over all of them, also those that are not shown. */
export type StocksProps = {
  rows: readonly StockRow[]
  total: StockFigures
  masked: boolean
  onOpen: (row: StockRow | 'all') => void
}
export type StocksTableProps = StocksProps & { sort: StockSort; onSort: (sort: StockSort) => void }

const HEADS: readonly { label: string; sort?: StockSort }[] = [
  { label: '訊號', sort: 'signal_count' },
  { label: '交易', sort: 'trade_count' },
  { label: '勝率', sort: 'win_rate' },
  { label: '淨損益', sort: 'net_pnl' },
  { label: '獲利因子' },
  { label: '平均報酬' },
  { label: '持有' },
  { label: '均價' },
  { label: '參考價' },
  { label: '未實現', sort: 'unrealised_pnl' },
  { label: '最近訊號', sort: 'last_signal_at' },
]

export function StocksTable({ rows, total, masked, onOpen, sort, onSort }: StocksTableProps) {
  const head = (label: string, by: StockSort | undefined, first = false) => {
    const on = by === sort
    return (
      <th
        key={label}
        scope="col"
        className={cx(!first && 'n')}
        aria-sort={on ? (by === 'symbol' ? 'ascending' : 'descending') : undefined}
      >
        {by ? (
          <button type="button" className={cx(css.sort, on && css.on)} onClick={() => onSort(by)}>
            {label}
            {on && <Icon name="arrow-down" size={14} />}
          </button>
        ) : (
          label
        )}
      </th>
    )
  }
  return (
    <div className="card flush">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className={css.scroll} aria-label="個股統計，可左右捲動" tabIndex={0}>
        <Table className={cx(css.table, 'num')}>
          <thead>
            <tr>
              {head('代號・名稱', 'symbol', true)}
              {HEADS.map(({ label, sort }) => head(label, sort))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.symbol}>
                <th scope="row">
                  <button type="button" className={cx(css.name, 'el')} onClick={() => onOpen(row)}>
                    {nameOf(row)}
                  </button>
                </th>
                <Counted of={row} masked={masked} />
                <td className="n">{heldOf(row)}</td>
                <td className="n">{averageOf(row)}</td>
                <td className="n">{priceOf(row)}</td>
                <Ends of={row} open={row.open_shares !== 0} masked={masked} />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">
                <button type="button" className={css.name} onClick={() => onOpen('all')}>
                  合計
                </button>
              </th>
              <Counted of={total} masked={masked} />
              <td />
              <td />
              <td />
              <Ends of={total} open masked={masked} />
            </tr>
          </tfoot>
        </Table>
      </section>
    </div>
  )
}

function Counted({ of, masked }: { of: StockFigures; masked: boolean }) {
  return (
    <>
      <td className="n">{number(of.signal_count)}</td>
      <td className="n">{number(of.trade_count)}</td>
      <td className="n">{rate(of.win_rate)}</td>
      <td className="n">
        <Delta value={of.trade_count === 0 ? null : of.net_pnl} masked={masked} strong arrow={false} />
      </td>
      <td className="n">{factor(of)}</td>
      <td className="n">{returned(of.avg_return_pct)}</td>
    </>
  )
}

/** `open` something is held. */
function Ends({ of, open, masked }: { of: StockFigures; open: boolean; masked: boolean }) {
  return (
    <>
      <td className="n">
        <Delta value={open ? of.unrealised_pnl : null} masked={masked && open} arrow={false} />
      </td>
      <td className="n ink3">{of.last_signal_at === null ? '—' : mdHm(of.last_signal_at)}</td>
    </>
  )
}
