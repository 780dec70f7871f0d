/* One trade on a wide screen: a line of columns. */

import { held, MASK, number, signed, signedPercent } from '#text/format.ts'
import { mdHm } from '#text/time.ts'
import type { Trade } from '#trading/record.ts'
import { Delta, Seal } from '#ui/nouns/Delta.tsx'
import { cx } from '#ui/open.ts'
import css from './TradeRow.module.css'
import { nameOf, priceOf, quantityOf } from './words.ts'

const HEADS = ['方向・商品', '進場', '出場', '毛損益', '手續費', '稅', '滑價', '淨損益', '報酬', '持有']

/** What the columns are called. */
export function TradeHead() {
  return (
    <div className={cx(css.root, css.head)} aria-hidden="true">
      {HEADS.map((head) => (
        <span key={head}>{head}</span>
      ))}
    </div>
  )
}

/** `share` of the capital, null unknown; `ruled` with a hairline over it. */
export type TradeRowProps = {
  trade: Trade
  share: number | null
  masked: boolean
  ruled: boolean
  onOpen: () => void
}

export function TradeRow({ trade, share, masked, ruled, onOpen }: TradeRowProps) {
  const money = (value: number) => (masked ? MASK : number(value))
  return (
    <button type="button" className={cx(css.root, css.row, 'num', ruled && css.ruled)} onClick={onOpen}>
      <span className="row gap6 el">
        <Seal glyph={trade.side === 'long' ? '多' : '空'} />
        <span className="el">{nameOf(trade)}</span>
        <span className="ink2">{quantityOf(trade)}</span>
      </span>
      <span>
        <small>{mdHm(trade.entry_at)}</small> {priceOf(trade, trade.entry_price)}
      </span>
      <span>
        <small>{mdHm(trade.exit_at)}</small> {priceOf(trade, trade.exit_price)}
      </span>
      <span className="ink2">{masked ? MASK : signed(trade.gross)}</span>
      <span className="ink3">{money(trade.fee)}</span>
      <span className="ink3">{money(trade.tax)}</span>
      <span className="ink3">{money(trade.slippage)}</span>
      <Delta value={trade.net} masked={masked} strong arrow={false} />
      <span className="ink2">{share === null ? '—' : signedPercent(share)}</span>
      <span className="ink3 el">{held(trade.holding_minutes)}</span>
    </button>
  )
}
