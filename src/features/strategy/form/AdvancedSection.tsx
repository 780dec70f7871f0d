/* 進階: what most people never change, folded away until asked for or until something in it does not fit. */
import { number } from '#text/format.ts'
import { ASSET_FACTS, assetOf } from '#trading/kinds.ts'
import { Fold } from '#ui/Card.tsx'
import { Hint } from '#ui/Field.tsx'
import { NumberField } from '#ui/NumberField.tsx'
import { cx } from '#ui/open.ts'
import { SegmentsField } from '#ui/Segments.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { Switch } from '#ui/Switch.tsx'
import { Two } from './Fields.tsx'
import css from './StrategyForm.module.css'
import type { FormApi } from './use-strategy-form.ts'

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
    <div className={cx(css.advanced, 'card flush')}>
      <Fold large title={<h2>進階</h2>} note="加碼、停損停利、延遲、太久沒收到訊號">
        <div className={css.inside}>
          <Switch
            className={css.switch}
            label="允許加碼"
            note="關閉時，已有部位再收到同方向的進場不動作"
            checked={values.allow_pyramiding}
            onChange={(on) => change({ allow_pyramiding: on })}
          />
          <Switch
            className={css.switch}
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
            className={css.switch}
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
    <div className={css.exit}>
      <NumberField {...form.field(`${of}.value`)} label={label} placeholder="不設定" />
      <SelectField quietLabel {...form.field(`${of}.unit`)} label={`${label}的單位`} options={UNITS} />
    </div>
  )
}
