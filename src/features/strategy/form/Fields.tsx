/* One setting of the kind by its description: the control, its words, its error. */

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { strategyQueries } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { UNIT_FACTS, unitOf } from '#trading/kinds.ts'
import { NumberField } from '#ui/NumberField.tsx'
import { SegmentsField } from '#ui/SegmentsField.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { Switch } from '#ui/Switch.tsx'
import { TagsField as UiTags } from '#ui/TagsField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { tagsOf } from '../list/arrange.ts'
import { LISTED } from '../list/use-list.ts'
import { Two } from './FormPage.tsx'
import { FIELDS, KIND_FORMS, type SettingName } from './kinds.ts'
import css from './StrategyForm.module.css'
import type { BoundField, FormApi } from './use-strategy-form.ts'

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
  // What is no switch here is a text, whatever it means (kinds/setting.ts).
  const text = field as unknown as Text
  const words = { ...text, label, hint: hint ?? usual, ...(placeholder && { placeholder }) }
  if (control === 'number') return <NumberField {...words} integer={integer} {...(unit && { unit })} />
  if (control === 'choice') return <SegmentsField {...words} options={options} />
  if (control === 'select') return <SelectField {...words} options={options} />
  return <TextField {...words} autoComplete="off" />
}

/* Stop loss or take profit: a number and what it counts, for the record only. */

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
    <div className={css.exit}>
      <NumberField {...form.field(`${of}.value`)} label={label} placeholder="不設定" />
      <SelectField quietLabel {...form.field(`${of}.unit`)} label={`${label}的單位`} options={UNITS} />
    </div>
  )
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

/* 標籤: one's own words for a strategy; those of the other strategies are offered. */

const MOST = 10

export function TagsField(field: BoundField<'tags'>) {
  const { data } = useQuery(strategyQueries.list(useCtx(), LISTED))
  const known = useMemo(() => tagsOf(data?.items ?? []), [data])
  return (
    <UiTags
      {...field}
      label="標籤"
      noun="標籤"
      known={known}
      placeholder="例如：突破、當沖"
      hint={`用逗號、頓號或 Enter 分開，最多 ${MOST} 個，每個 20 字`}
    />
  )
}

/* 滑價: how many ticks worse than the signal's price a trade is taken to be. */

export function SlippageField({ form }: { form: FormApi }) {
  return (
    <NumberField {...form.field('slippage_ticks')} label="滑價" unit="檔" integer step="1" min="0" max="20" />
  )
}
