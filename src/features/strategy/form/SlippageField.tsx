/* 滑價: how many ticks worse than the signal's price a trade is taken to be. */
import { NumberField } from '#ui/NumberField.tsx'
import type { FormApi } from './use-strategy-form.ts'

export function SlippageField({ form }: { form: FormApi }) {
  return (
    <NumberField {...form.field('slippage_ticks')} label="滑價" unit="檔" integer step="1" min="0" max="20" />
  )
}
