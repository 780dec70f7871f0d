/* A rule written: which signals it is about, what becomes of them, how often that may be. */

import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { fieldMessages } from '#contract/field-messages.ts'
import { SYMBOLS_MOST } from '#contract/kinds/stock.ts'
import { createStockSetting, type RuledFor, type StockSignalSetting } from '#contract/stock-signal-setting.ts'
import type { Strategy } from '#contract/strategy.ts'
import { stockSettingMutations } from '#data/nouns/notification-setting.ts'
import { useCtx } from '#screen/data.tsx'
import { refusal } from '#screen/failure.ts'
import { useLeaveSheet } from '#screen/LeaveForm.tsx'
import { QUEUED_WORDS } from '#screen/outbox.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { UNIT_FACTS, unitOf } from '#trading/kinds.ts'
import { ACTION_WORDS } from '#trading/record-words.ts'
import { RULE_ACTIONS, type RuleResult, SECURITY_TYPES } from '#trading/stock-rules.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { NumberField } from '#ui/NumberField.tsx'
import { SegmentsField } from '#ui/Segments.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TagsField } from '#ui/TagsField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { Two } from '../../form/Fields.tsx'
import {
  byField,
  type Chosen,
  chosenOf,
  inputOf,
  OWN_RESULTS,
  RESULTS,
  TYPED,
  TYPES,
  type Typed,
  typedOf,
} from './draft.ts'
import css from './RulesTab.module.css'

/** `known` null writes a new one. */
export type RuleSheetProps = {
  strategy: Strategy
  applies_to: RuledFor
  known: StockSignalSetting | null
  onClose: () => void
}

const VALUES = {
  strategy: ['record_notify', 'record_only', 'ignore'],
  me: ['record_notify', 'ignore'],
} as const satisfies Record<RuledFor, readonly Chosen['result'][]>

export function RuleSheet({ strategy, applies_to, known, onClose }: RuleSheetProps) {
  const ctx = useCtx()
  const sheet = useId()
  const [chosen, setChosen] = useState<Chosen>(() => chosenOf(known))
  const [touched, setTouched] = useState(false)
  const create = useMutation(stockSettingMutations.create(ctx, strategy.id))
  const update = useMutation(stockSettingMutations.update(ctx, strategy.id))
  const [initial] = useState(() => typedOf(known))
  const { values, errors, failure, busy, field, form } = useForm<keyof Typed>({
    initial,
    check: (typed) =>
      byField(
        fieldMessages(createStockSetting.input, {
          id: strategy.id,
          ...inputOf(applies_to, typed, chosen, true),
        }),
      ),
    send: async (typed) => {
      const { applies_to: of, ...input } = inputOf(applies_to, typed, chosen, known?.enabled ?? true)
      const { queued } = known
        ? await update.mutateAsync({
            input: { ...input, setting_id: known.id },
            label: `修改規則「${input.name}」`,
          })
        : await create.mutateAsync({
            input: { ...input, applies_to: of },
            label: `新增規則「${input.name}」`,
          })
      toast(
        queued
          ? { title: QUEUED_WORDS, icon: 'offline' }
          : { title: known ? '規則已更新' : `已新增「${input.name}」`, icon: 'check' },
      )
      onClose()
    },
    refused: (error) => refusal(error, '內容都還在，', [...TYPED]),
  })
  const change = (changes: Partial<Chosen>) => {
    setTouched(true)
    setChosen((before) => ({ ...before, ...changes }))
  }
  const dirty = touched || TYPED.some((name) => values[name] !== initial[name])
  const { leave, question } = useLeaveSheet(dirty, onClose)
  const words = applies_to === 'strategy' ? RESULTS : { ...RESULTS, ...OWN_RESULTS }
  return (
    <Sheet
      open
      tall
      onClose={leave}
      sticky={dirty}
      title={known ? '修改規則' : '新增規則'}
      subtitle={applies_to === 'strategy' ? '整個策略：所有人看到的訊號' : '只對我：我收到的通知'}
      foot={
        <>
          <Button onClick={leave}>取消</Button>
          <Button kind="filled" type="submit" form={sheet} busy={busy}>
            {known ? '儲存' : '新增'}
          </Button>
        </>
      }
    >
      <form id={sheet} {...form} className={css.RuleSheetFields}>
        <TextField label="名稱" maxLength={30} placeholder="例如：不看 ETF" {...field('name')} />
        <SegmentsField
          label="符合的訊號"
          value={applies_to === 'me' && chosen.result === 'record_only' ? 'ignore' : chosen.result}
          onChange={(result) => change({ result })}
          options={VALUES[applies_to].map((value) => ({ value, label: words[value].name }))}
          hint={words[chosen.result].hint}
          error={errors['result']}
        />
        <MatchFields chosen={chosen} change={change} field={field} errors={errors} />
        <LimitFields strategy={strategy} applies_to={applies_to} result={chosen.result} field={field} />
        <Refused text={failure} />
      </form>
      {question}
    </Sheet>
  )
}

/* How often a rule may tell, and the size that it gives. */

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
    <fieldset className={css.RuleSheetPart}>
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

/* Which signals a rule is about: what is left empty asks nothing. */

export type FieldOf = (name: keyof Typed) => {
  value: string
  onChange: (value: string) => void
  onBlur: () => void
  error: string | undefined
}
export type MatchFieldsProps = {
  chosen: Chosen
  change: (changes: Partial<Chosen>) => void
  field: FieldOf
  errors: Record<string, string>
}

/** Codes as people type them: full-width digits, with a name behind. */
const codes = (words: readonly string[]) => [
  ...new Set(words.map((word) => word.normalize('NFKC').trim().split(/\s/)[0]?.toUpperCase() ?? '')),
]

export function MatchFields({ chosen, change, field, errors }: MatchFieldsProps) {
  return (
    <fieldset className={css.RuleSheetPart}>
      <legend>哪些訊號</legend>
      <p className="t13 ink3">留空就是不限；填了的都要符合。訊號沒有寫的（例如成交量），不算符合。</p>
      <TagsField
        label="股票代號"
        noun="代號"
        name="symbols"
        value={chosen.symbols}
        onChange={(symbols) => change({ symbols: codes(symbols) })}
        known={[]}
        placeholder="例如：2330"
        hint={`最多 ${SYMBOLS_MOST} 檔；留空是每一檔`}
        error={errors['symbols'] ?? null}
      />
      <TagsField
        label="除了這些代號"
        noun="除外的代號"
        name="exclude_symbols"
        value={chosen.exclude_symbols}
        onChange={(symbols) => change({ exclude_symbols: codes(symbols) })}
        known={[]}
        error={errors['exclude_symbols'] ?? null}
      />
      <SelectField
        label="種類"
        value={chosen.security_type}
        onChange={(security_type) => change({ security_type })}
        options={SECURITY_TYPES.map((value) => ({ value, label: TYPES[value] }))}
      />
      <fieldset className={css.RuleSheetActions}>
        <legend>動作</legend>
        {RULE_ACTIONS.map((action) => (
          <Checkbox
            key={action}
            label={ACTION_WORDS[action]}
            checked={chosen.actions.includes(action)}
            onChange={(on) =>
              change({
                actions: RULE_ACTIONS.filter((one) => (one === action ? on : chosen.actions.includes(one))),
              })
            }
          />
        ))}
      </fieldset>
      <Two>
        <NumberField label="最低價" unit="元" {...field('min_price')} />
        <NumberField label="最高價" unit="元" {...field('max_price')} />
      </Two>
      <Two>
        <NumberField label="最少成交量" unit="張" integer {...field('min_volume')} />
        <NumberField label="最少金額" unit="元" integer {...field('min_amount')} />
      </Two>
      <Two>
        <TextField label="從幾點" type="time" {...field('time_from')} />
        <TextField label="到幾點" type="time" {...field('time_to')} />
      </Two>
      <TextField label="備註裡有" maxLength={40} placeholder="例如：突破" {...field('note_keyword')} />
    </fieldset>
  )
}
