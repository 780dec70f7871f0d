/* One trade opened: how its result came about, and the two signals it was made of. */

import type { Strategy } from '#contract/strategy.ts'
import { useGo } from '#screen/go.ts'
import { full, held, MASK, minus, number, signed, signedPercent, ymd } from '#text/format.ts'
import { mdHm } from '#text/time.ts'
import type { Trade } from '#trading/record.ts'
import { KeyValues } from '#ui/Figures.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { Delta, Seal } from '#ui/nouns/Delta.tsx'
import { cx, opens } from '#ui/open.ts'
import css from '../OverviewTab.module.css'
import { FigureValue } from '../Standing.tsx'
import { costOf, nameOf, priceOf, quantityOf } from './words.ts'

export type TradeSheetProps = { trade: Trade; strategy: Strategy; masked: boolean; onClose: () => void }

export function TradeSheet({ trade, strategy, masked, onClose }: TradeSheetProps) {
  const { open } = useGo()
  const money = (value: number) => (masked ? MASK : `${number(value)} 元`)
  const less = (value: number) => (masked ? MASK : `${minus(number(value))} 元`)
  const legs = [
    { label: '進場訊號', id: trade.entry_signal_id, at: trade.entry_at, price: trade.entry_price },
    { label: '出場訊號', id: trade.exit_signal_id, at: trade.exit_at, price: trade.exit_price },
  ]
  const { max_run_up, max_drawdown, return_pct } = trade
  return (
    <Sheet
      open
      onClose={onClose}
      title={`${trade.side === 'long' ? '多' : '空'} ${nameOf(trade)} ${quantityOf(trade)}`}
      subtitle={`平倉交易日 ${ymd(trade.exit_trading_date)}${trade.day_trade ? ' · 當沖' : ''}`}
    >
      <FigureValue>
        <Delta value={trade.net} unit="元" masked={masked} />
      </FigureValue>
      <ul className={cx(css.TradeSheetLegs, 'num')}>
        {legs.map(({ label, id, at, price }) => {
          const href = `/strategies/${strategy.id}?tab=signals&signal=${id}`
          return (
            <li key={label}>
              <a href={href} onClick={opens(() => open(href))}>
                <span className="sp">
                  <small>{label}</small>
                  <span>{full(at)}</span>
                </span>
                <b>{priceOf(trade, price)}</b>
                <Icon name="chevron-right" size={18} className="ink3" />
              </a>
            </li>
          )
        })}
      </ul>
      <KeyValues
        rows={[
          { label: '毛損益', value: masked ? MASK : `${signed(trade.gross)} 元` },
          { label: '手續費（進＋出）', value: less(trade.fee) },
          { label: '交易稅', value: less(trade.tax) },
          { label: '滑價', value: less(trade.slippage) },
          { label: '淨損益', value: masked ? MASK : `${signed(trade.net)} 元`, total: true },
          ...(return_pct === null ? [] : [{ label: '報酬率', value: signedPercent(return_pct) }]),
          { label: '持有', value: held(trade.holding_minutes) },
          ...(max_run_up === null ? [] : [{ label: '持有中最大浮盈', value: money(max_run_up) }]),
          ...(max_drawdown === null ? [] : [{ label: '持有中最大浮虧', value: money(max_drawdown) }]),
        ]}
      />
      <p className={cx(css.TradeSheetNote, 't13 ink3')}>先進先出配對：這一筆是上面兩個訊號互相沖銷的部分。</p>
    </Sheet>
  )
}

/* One trade in two short lines: side, in and out, what it made. For sheets and phones. */

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
      className={cx(css.TradeLine, 'num', inset && css.TradeLineInset, ruled && css.TradeLineRuled)}
      onClick={onOpen}
    >
      <span className={cx(css.TradeLineLine, 't16')}>
        <Seal glyph={trade.side === 'long' ? '多' : '空'} />
        <span className="el">{nameOf(trade)}</span>
        <span className="ink2 nowrap t14">{quantityOf(trade)}</span>
        <span className="sp" />
        <Delta value={trade.net} masked={masked} strong arrow={false} />
      </span>
      <span className={cx(css.TradeLineLine, css.TradeLineBelow, 't13 nowrap')}>
        <span className="ink3">{mdHm(trade.exit_at)}</span>
        <span className={cx(css.TradeLineWay, 'ink2')}>
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
