/* One stock opened, or all of them: every figure, and the way to its signals. */
import { useGo } from '#screen/go.ts'
import { full } from '#text/format.ts'
import type { StockFigures, StockRow } from '#trading/stock-statistics.ts'
import { Button } from '#ui/Button.tsx'
import { KeyValues } from '#ui/Figures.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { Delta } from '#ui/nouns/Delta.tsx'
import { FigureValue } from '../FigureValue.tsx'
import { linesOf, nameOf } from './words.ts'

/** `row` null where it is about all of them. */
export type StockSheetProps = {
  of: StockFigures
  row: StockRow | null
  strategy_id: string
  masked: boolean
  onClose: () => void
}

export function StockSheet({ of, row, strategy_id, masked, onClose }: StockSheetProps) {
  const { go } = useGo()
  return (
    <Sheet
      open
      onClose={onClose}
      title={row ? nameOf(row) : '合計'}
      {...(of.last_signal_at !== null && { subtitle: `最近訊號 ${full(of.last_signal_at)}` })}
      {...(row && {
        foot: (
          <Button
            wide
            {...go(`/strategies/${strategy_id}?tab=signals&text=${encodeURIComponent(row.symbol)}`)}
          >
            看這一檔的訊號
          </Button>
        ),
      })}
    >
      <FigureValue>
        <Delta value={of.trade_count === 0 ? null : of.net_pnl} unit="元" masked={masked} />
      </FigureValue>
      <KeyValues rows={linesOf(of, row, masked)} />
    </Sheet>
  )
}
