/* A figure opened: its formula with the numbers in it, why it may differ elsewhere, and the trades behind it. */
import type { ReactNode } from 'react'
import { useGo } from '#screen/go.ts'
import type { Trade } from '#trading/record.ts'
import { Button } from '#ui/Button.tsx'
import { KeyValues } from '#ui/Figures.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { cx } from '#ui/open.ts'
import { FigureValue } from '../FigureValue.tsx'
import { TradeLine } from '../trades/TradeLine.tsx'
import css from './FigureSheet.module.css'

const SHOWN = 50

/** `value` as the page shows it; `more` older trades exist that this device does not hold. */
export type FigureSheetProps = {
  title: string
  subtitle: string
  value: ReactNode
  formula: string | null
  inputs: readonly { label: string; value: string }[]
  note: string | null
  trades: readonly Trade[]
  more: boolean
  masked: boolean
  trades_href: string
  onTrade: (trade: Trade) => void
  onClose: () => void
}

export function FigureSheet(props: FigureSheetProps) {
  const {
    title,
    subtitle,
    value,
    formula,
    inputs,
    note,
    trades,
    more,
    masked,
    trades_href,
    onTrade,
    onClose,
  } = props
  const { go } = useGo()
  return (
    <Sheet
      open
      onClose={onClose}
      title={title}
      subtitle={subtitle}
      foot={<Button {...go(trades_href)}>看所有交易</Button>}
    >
      <FigureValue>{value}</FigureValue>
      {formula && (
        <section className={css.part}>
          <h3 className="t13 ink3">公式</h3>
          <p className="t14">{formula}</p>
          {inputs.length > 0 && <KeyValues rows={inputs} />}
        </section>
      )}
      {note && <p className={cx('t13 ink2', css.part)}>{note}</p>}
      <section className={css.part}>
        <h3 className="t13 ink3">
          {trades.length > SHOWN
            ? `背後的交易，最新 ${SHOWN} 筆，共 ${trades.length} 筆`
            : `背後的交易 ${trades.length} 筆`}
          {more && '（較早的在交易頁）'}
        </h3>
        <ul className={css.trades}>
          {trades.slice(0, SHOWN).map((trade) => (
            <li key={trade.id}>
              <TradeLine trade={trade} masked={masked} onOpen={() => onTrade(trade)} />
            </li>
          ))}
        </ul>
      </section>
    </Sheet>
  )
}
