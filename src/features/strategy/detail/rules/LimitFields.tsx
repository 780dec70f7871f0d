/* How often a rule may tell, and the size that it gives. */
import type { RuledFor } from '#contract/stock-signal-setting.ts'
import type { Strategy } from '#contract/strategy.ts'
import { UNIT_FACTS, unitOf } from '#trading/kinds.ts'
import type { RuleResult } from '#trading/stock-rules.ts'
import { NumberField } from '#ui/NumberField.tsx'
import { Two } from '../../form/Fields.tsx'
import type { FieldOf } from './MatchFields.tsx'
import css from './RuleSheet.module.css'

export type LimitFieldsProps = {
  strategy: Strategy
  applies_to: RuledFor
  result: RuleResult
  field: FieldOf
}

export function LimitFields({ strategy, applies_to, result, field }: LimitFieldsProps) {
  const tells = result === 'record_notify'
  const sized = applies_to === 'strategy' && result !== 'ignore'
  if (!tells && !sized) return null
  return (
    <fieldset className={css.part}>
      <legend>{tells ? '通知的上限' : '數量'}</legend>
      {tells && (
        <>
          <NumberField
            label="冷卻"
            unit="分鐘"
            integer
            placeholder="不限"
            hint="同一檔、同一動作，這段時間內只通知第一筆。"
            {...field('cooldown_minutes')}
          />
          <Two>
            <NumberField label="每檔每日" unit="筆" integer placeholder="不限" {...field('daily_limit')} />
            <NumberField
              label="每日總共"
              unit="筆"
              integer
              placeholder="不限"
              {...field('daily_total_limit')}
            />
          </Two>
          {applies_to === 'strategy' && <p className="t13 ink3">到了上限的照樣記錄，只是不通知。</p>}
        </>
      )}
      {sized && (
        <NumberField
          label="進場一律"
          unit={UNIT_FACTS[unitOf(strategy)].word}
          integer
          placeholder="照訊號"
          hint="代替訊號的數量；出場照訊號。"
          {...field('quantity_override')}
        />
      )}
    </fieldset>
  )
}
