/* How many: whether the signal says it, what holds when it does not, and the most that is held. */

import { UNIT_FACTS, unitOf } from '#trading/kinds.ts'
import { NumberField } from '#ui/NumberField.tsx'
import { SegmentsField } from '#ui/SegmentsField.tsx'
import { KIND_FORMS } from './kinds.ts'
import { Two } from './Two.tsx'
import type { FormApi } from './use-strategy-form.ts'

const SOURCES = [
  { value: 'signal', label: '訊號內容' },
  { value: 'fixed', label: '固定數量' },
] as const

export function AmountFields({ form }: { form: FormApi }) {
  const { kind, values, field } = form
  const { word, most, most_position } =
    UNIT_FACTS[unitOf({ kind, settings: { unit: values['settings.unit'] } })]
  return (
    <>
      <SegmentsField
        {...field('quantity_mode')}
        label="數量來源"
        options={SOURCES}
        hint={KIND_FORMS[kind].amounts[values.quantity_mode]}
      />
      <Two>
        <NumberField
          {...field('default_quantity')}
          label="預設數量"
          unit={word}
          integer
          step="1"
          min="1"
          max={String(most)}
        />
        <NumberField
          {...field('max_position')}
          label="最大部位"
          unit={word}
          integer
          step="1"
          min="1"
          max={String(most_position)}
        />
      </Two>
    </>
  )
}
