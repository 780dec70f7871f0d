/* Stop loss or take profit: a number and what it counts, for the record only. */
import { NumberField } from '#ui/NumberField.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import css from './ExitField.module.css'
import type { FormApi } from './use-strategy-form.ts'

const UNITS = [
  { value: 'point', label: '點' },
  { value: 'twd', label: '元' },
  { value: 'percent', label: '%' },
] as const

export function ExitField({
  form,
  label,
  of,
}: {
  form: FormApi
  label: string
  of: 'stop_loss' | 'take_profit'
}) {
  return (
    <div className={css.root}>
      <NumberField {...form.field(`${of}.value`)} label={label} placeholder="不設定" />
      <SelectField quietLabel {...form.field(`${of}.unit`)} label={`${label}的單位`} options={UNITS} />
    </div>
  )
}
