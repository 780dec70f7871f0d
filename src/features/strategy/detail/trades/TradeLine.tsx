/* One trade in two short lines: side, in and out, what it made. For sheets and phones. */

import { MASK, number } from '#text/format.ts'
import { mdHm } from '#text/time.ts'
import type { Trade } from '#trading/record.ts'
import { Icon } from '#ui/Icon.tsx'
import { Delta, Seal } from '#ui/nouns/Delta.tsx'
import { cx } from '#ui/open.ts'
import css from './TradeLine.module.css'
import { costOf, nameOf, priceOf, quantityOf } from './words.ts'

/** `inset` in a list that reaches the edges of its card: it answers to the mouse; `ruled` with a hairline over it. */
export type TradeLineProps = {
  trade: Trade
  masked: boolean
  onOpen: () => void
  inset?: boolean
  ruled?: boolean
}

export function TradeLine({ trade, masked, onOpen, inset = false, ruled = false }: TradeLineProps) {
  return (
    <button
      type="button"
      className={cx(css.root, 'num', inset && css.inset, ruled && css.ruled)}
      onClick={onOpen}
    >
      <span className={cx(css.line, 't16')}>
        <Seal glyph={trade.side === 'long' ? '多' : '空'} />
        <span className="el">{nameOf(trade)}</span>
        <span className="ink2 nowrap t14">{quantityOf(trade)}</span>
        <span className="sp" />
        <Delta value={trade.net} masked={masked} strong arrow={false} />
      </span>
      <span className={cx(css.line, css.below, 't13 nowrap')}>
        <span className="ink3">{mdHm(trade.exit_at)}</span>
        <span className={cx(css.way, 'ink2')}>
          {priceOf(trade, trade.entry_price)}
          <Icon name="arrow-right" size={14} className="ink3" />
          {priceOf(trade, trade.exit_price)}
        </span>
        <span className="sp" />
        <span className="ink3">成本 {masked ? MASK : number(costOf(trade))}</span>
      </span>
    </button>
  )
}
