/* Parts of the strategy's form: a section, two fields beside each other, a setting by its description, amounts, slippage. */
import type { ReactNode } from 'react'
import { UNIT_FACTS, unitOf } from '#trading/kinds.ts'
import { NumberField } from '#ui/NumberField.tsx'
import { cx } from '#ui/open.ts'
import { SegmentsField } from '#ui/Segments.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { Switch } from '#ui/Switch.tsx'
import { TextField } from '#ui/TextField.tsx'
import { FIELDS, KIND_FORMS, type SettingName } from './kinds.ts'
import css from './StrategyForm.module.css'
import type { BoundField, FormApi } from './use-strategy-form.ts'

/** `about` one short sentence; `asked` the part that a new strategy has to have: on a phone its fields alone. */
type SectionProps = { title: string; about: string; asked?: boolean; children: ReactNode }

/** One part of the form: what it is about at the left, its fields at the right; on phones one under the other. */
export function Section({ title, about, asked = false, children }: SectionProps) {
  return (
    <section className={cx(css.section, asked && css.asked, 'card')} aria-label={title}>
      <div className={css.head}>
        <h2>{title}</h2>
        <p>{about}</p>
      </div>
      <div className={css.fields}>{children}</div>
    </section>
  )
}

/** Two fields beside each other; `stacked` one under the other on every phone. */
export function Two({ children, stacked = false }: { children: ReactNode; stacked?: boolean }) {
  return <div className={cx(css.two, stacked && css.stacked)}>{children}</div>
}

type Text = Omit<BoundField<'name'>, 'name'> & { name: string }

/** `hint` instead of the described one, where it depends on what else is typed. */
export type SettingFieldProps = { form: FormApi; name: SettingName; hint?: string | undefined }

export function SettingField({ form, name, hint }: SettingFieldProps) {
  const { label, control, options, integer, unit, placeholder, hint: usual } = FIELDS[name]
  const field = form.field(`settings.${name}`)
  if (typeof field.value === 'boolean') {
    const on = (checked: boolean) => form.change({ [`settings.${name}`]: checked })
    return <Switch label={label} note={hint ?? usual ?? ''} checked={field.value} onChange={on} />
  }
  // What is no switch here is a text, whatever it means (kinds.ts).
  const text = field as unknown as Text
  const words = { ...text, label, hint: hint ?? usual, ...(placeholder && { placeholder }) }
  if (control === 'number') return <NumberField {...words} integer={integer} {...(unit && { unit })} />
  if (control === 'choice') return <SegmentsField {...words} options={options} />
  if (control === 'select') return <SelectField {...words} options={options} />
  return <TextField {...words} autoComplete="off" />
}

/* How many: whether the signal says it, what holds when it does not, and the most that is held. */

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

/* 滑價: how many ticks worse than the signal's price a trade is taken to be. */

export function SlippageField({ form }: { form: FormApi }) {
  return (
    <NumberField {...form.field('slippage_ticks')} label="滑價" unit="檔" integer step="1" min="0" max="20" />
  )
}
