/* Parts of the strategy's form: a section, two fields beside each other, a setting by its description, amounts, slippage; 通知 and 進階. */

import type { ReactNode } from 'react'
import { RINGINGS } from '#contract/channels.ts'
import { number } from '#text/format.ts'
import { RINGING_NOTES, RINGING_WORDS } from '#text/notification.ts'
import { ASSET_FACTS, assetOf, UNIT_FACTS, unitOf } from '#trading/kinds.ts'
import { Fold } from '#ui/Card.tsx'
import { Choices } from '#ui/Checkbox.tsx'
import { Hint } from '#ui/Field.tsx'
import { NumberField } from '#ui/NumberField.tsx'
import { cx } from '#ui/open.ts'
import { SegmentsField } from '#ui/Segments.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { Switch } from '#ui/Switch.tsx'
import { TextField } from '#ui/TextField.tsx'
import { FIELDS, KIND_FORMS, type SettingName } from './kinds.ts'
import strategyFormCss from './StrategyForm.module.css'
import type { BoundField, FormApi } from './use-strategy-form.ts'

/** `about` one short sentence; `asked` the part that a new strategy has to have: on a phone its fields alone. */
type SectionProps = { title: string; about: string; asked?: boolean; children: ReactNode }

/** One part of the form: what it is about at the left, its fields at the right; on phones one under the other. */
export function Section({ title, about, asked = false, children }: SectionProps) {
  return (
    <section
      className={cx(strategyFormCss.section, asked && strategyFormCss.asked, 'card')}
      aria-label={title}
    >
      <div className={strategyFormCss.head}>
        <h2>{title}</h2>
        <p>{about}</p>
      </div>
      <div className={strategyFormCss.fields}>{children}</div>
    </section>
  )
}

/** Two fields beside each other; `stacked` one under the other on every phone. */
export function Two({ children, stacked = false }: { children: ReactNode; stacked?: boolean }) {
  return <div className={cx(strategyFormCss.two, stacked && strategyFormCss.stacked)}>{children}</div>
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

/* 進階: what most people never change, folded away until asked for or until something in it does not fit. */

const MISMATCH = [
  { value: 'reject', label: '拒絕' },
  { value: 'accept', label: '接受並標示' },
] as const

/** Without a number: what the alarm of a silence will go by. */
function usualWords(usual: number | null | undefined): string {
  if (usual === undefined) return '留空時依過去的頻率判斷；收到的訊號還不夠多時，不會提醒'
  return usual === null
    ? '收到的訊號還不夠看出平常的頻率，現在留空不會提醒'
    : `留空時依過去的頻率：超過 ${number(usual)} 分鐘才提醒`
}

/** `usual` open minutes that its own record allows; null: too few records yet, absent: not known. */
export function AdvancedSection({ form, usual }: { form: FormApi; usual?: number | null | undefined }) {
  const { values, field, change } = form
  return (
    <div className={cx(strategyFormCss.advanced, 'card flush')}>
      <Fold large title={<h2>進階</h2>} note="加碼、停損停利、延遲、太久沒收到訊號">
        <div className={strategyFormCss.inside}>
          <Switch
            className={strategyFormCss.switch}
            label="允許加碼"
            note="關閉時，已有部位再收到同方向的進場不動作"
            checked={values.allow_pyramiding}
            onChange={(on) => change({ allow_pyramiding: on })}
          />
          <Switch
            className={strategyFormCss.switch}
            label="允許反手"
            note="關閉時，反向的訊號只平掉原部位，不開新倉"
            checked={values.allow_reversal}
            onChange={(on) => change({ allow_reversal: on })}
          />
          <Two stacked>
            <ExitField form={form} label="停損" of="stop_loss" />
            <ExitField form={form} label="停利" of="take_profit" />
          </Two>
          <Hint>停損停利只供參考，平台不會替你下單。</Hint>
          <NumberField
            {...field('late_after_s')}
            label="多久算延遲"
            unit="秒"
            integer
            step="30"
            min="30"
            max="3600"
            hint="晚這麼久才收到，就標「延遲」"
          />
          <SegmentsField
            {...field('on_symbol_mismatch')}
            label={`訊號的${ASSET_FACTS[assetOf(form)].traded}不符時`}
            options={MISMATCH}
          />
          <Switch
            className={strategyFormCss.switch}
            label="太久沒收到訊號時提醒我"
            note="從最後一則訊息算起，只算交易時段"
            checked={values['silence_alarm.enabled']}
            onChange={(on) => change({ 'silence_alarm.enabled': on })}
          />
          {values['silence_alarm.enabled'] && (
            <NumberField
              {...field('silence_alarm.max_gap_minutes')}
              label="超過多久"
              unit="分鐘"
              integer
              placeholder="依過去的頻率"
              hint={usualWords(usual)}
            />
          )}
        </div>
      </Fold>
    </div>
  )
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
    <div className={strategyFormCss.exit}>
      <NumberField {...form.field(`${of}.value`)} label={label} placeholder="不設定" />
      <SelectField quietLabel {...form.field(`${of}.unit`)} label={`${label}的單位`} options={UNITS} />
    </div>
  )
}

/* 通知: how I am told of its signals. Everybody who follows it has a bell of their own. */

const CHOICES = RINGINGS.map((value) => ({ value, label: RINGING_WORDS[value], note: RINGING_NOTES[value] }))
const OWN = { value: 'own' as const, label: RINGING_WORDS.own, note: '在策略的鈴鐺裡自己選的，維持不變' }

/** `own` it was refined on its bell, in a way that no choice says: offered for as long as nothing else was stored. */
export function NotifySection({ form, own }: { form: FormApi; own: boolean }) {
  return (
    <Section title="通知" about="只關於你自己；看得到這個策略的人各自設定。">
      <Choices
        legend="有訊號時"
        value={form.values.notify}
        onChange={(notify) => form.change({ notify })}
        options={own ? [...CHOICES, OWN] : CHOICES}
      />
    </Section>
  )
}
