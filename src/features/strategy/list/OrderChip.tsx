/* The order of the list: a chip that always says the chosen one, never dark, because an order hides nothing. */
import { ChipSelect } from '#ui/Chips.tsx'
import { SORTS, type Sort } from './arrange.ts'

const WORDS: Record<Sort, { short: string; long: string }> = {
  last_signal: { short: '最近訊號', long: '最近訊號優先' },
  net_profit: { short: '淨損益', long: '淨損益高的優先' },
  win_rate: { short: '勝率', long: '勝率高的優先' },
  max_drawdown: { short: '最大回撤', long: '最大回撤小的優先' },
  name: { short: '名稱', long: '依名稱' },
  created: { short: '建立時間', long: '最近建立優先' },
}

export function OrderChip({ value, onChange }: { value: Sort; onChange: (value: Sort) => void }) {
  return (
    <ChipSelect
      label="排序"
      value={value}
      onChange={onChange}
      options={SORTS.map((sort) => ({ value: sort, label: WORDS[sort].long }))}
      says={
        <>
          <span className="mob">{WORDS[value].short}</span>
          <span className="desk">{WORDS[value].long}</span>
        </>
      }
    />
  )
}
