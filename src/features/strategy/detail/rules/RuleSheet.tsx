/* A rule written: which signals it is about, what becomes of them, how often that may be. */
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { fieldMessages } from '#contract/field-messages.ts'
import { createStockSetting, type RuledFor, type StockSignalSetting } from '#contract/stock-signal-setting.ts'
import type { Strategy } from '#contract/strategy.ts'
import { stockSettingMutations } from '#data/nouns/notification-setting.ts'
import { useCtx } from '#screen/data.tsx'
import { refusal } from '#screen/failure.ts'
import { useLeaveSheet } from '#screen/LeaveForm.tsx'
import { QUEUED_WORDS } from '#screen/outbox.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { Button } from '#ui/Button.tsx'
import { SegmentsField } from '#ui/Segments.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { byField, type Chosen, chosenOf, inputOf, TYPED, type Typed, typedOf } from './draft.ts'
import { LimitFields } from './LimitFields.tsx'
import { MatchFields } from './MatchFields.tsx'
import css from './RuleSheet.module.css'
import { OWN_RESULTS, RESULTS } from './words.ts'

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
      <form id={sheet} {...form} className={css.fields}>
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
