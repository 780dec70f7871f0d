/* 股票: which codes the strategy takes, what its quantities count, how many. */

import { SegmentsField } from '#ui/SegmentsField.tsx'
import { AmountFields } from './AmountFields.tsx'
import { FIELDS, KIND_FORMS } from './kinds.ts'
import { Section } from './Section.tsx'
import { SymbolsField } from './SymbolsField.tsx'
import { inUnit } from './symbols.ts'
import type { FormApi } from './use-strategy-form.ts'
import type { FormValues } from './values.ts'

export function SymbolsSection({ form }: { form: FormApi }) {
  const { values, field, change } = form
  // ten 張 that became ten 股 would refuse every signal as far too large
  const choose = (unit: FormValues['settings.unit']) => {
    if (unit === values['settings.unit']) return
    change({
      'settings.unit': unit,
      default_quantity: inUnit(values.default_quantity, unit),
      max_position: inUnit(values.max_position, unit),
    })
  }
  return (
    <Section {...KIND_FORMS[form.kind].traded}>
      <SymbolsField {...form.field('settings.symbols')} />
      <SegmentsField
        {...field('settings.unit')}
        onChange={choose}
        label={FIELDS.unit.label}
        hint={FIELDS.unit.hint}
        options={FIELDS.unit.options}
      />
      <AmountFields form={form} />
    </Section>
  )
}
