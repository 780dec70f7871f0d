/* The stocks on a phone: two short lines each, the sum in front. */
import { number } from '#text/format.ts'
import type { StockFigures } from '#trading/stock-statistics.ts'
import { Delta } from '#ui/nouns/Delta.tsx'
import { cx } from '#ui/open.ts'
import css from './StockLines.module.css'
import type { StocksProps } from './StocksTable.tsx'
import { heldOf, nameOf, rate } from './words.ts'

export function StockLines({ rows, total, masked, onOpen }: StocksProps) {
  return (
    <ul className="card flush" aria-label="個股統計">
      {rows.length > 1 && (
        <li>
          <Line name="合計" of={total} held={null} masked={masked} onOpen={() => onOpen('all')} />
        </li>
      )}
      {rows.map((row) => (
        <li key={row.symbol}>
          <Line
            name={nameOf(row)}
            of={row}
            held={row.open_shares === 0 ? null : heldOf(row)}
            masked={masked}
            onOpen={() => onOpen(row)}
          />
        </li>
      ))}
    </ul>
  )
}

type LineProps = {
  name: string
  of: StockFigures
  held: string | null
  masked: boolean
  onOpen: () => void
}

function Line({ name, of, held, masked, onOpen }: LineProps) {
  return (
    <button type="button" className={cx(css.root, 'num')} onClick={onOpen}>
      <span className={cx(css.line, 't16')}>
        <b className="el">{name}</b>
        <span className="sp" />
        <Delta value={of.trade_count === 0 ? null : of.net_pnl} masked={masked} strong arrow={false} />
      </span>
      <span className={cx(css.line, 't13 ink3 nowrap')}>
        <span className="el">
          {number(of.trade_count)} 筆交易{of.win_rate !== null && ` · 勝率 ${rate(of.win_rate)}`}
          {held && ` · 持有 ${held}`}
        </span>
        <span className="sp" />
        {of.unrealised_pnl !== null && of.unrealised_pnl !== 0 && (
          <span className={css.line}>
            未實現 <Delta value={of.unrealised_pnl} masked={masked} arrow={false} />
          </span>
        )}
      </span>
    </button>
  )
}
