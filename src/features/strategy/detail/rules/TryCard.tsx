/* 試一筆: a signal that is not sent, and the rule that would decide it. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldMessages } from '#contract/field-messages.ts'
import { type RuledFor, tryStockSettings } from '#contract/stock-signal-setting.ts'
import type { Strategy } from '#contract/strategy.ts'
import { stockSettingMutations } from '#data/nouns/notification-setting.ts'
import { useCtx } from '#screen/data.tsx'
import { refusal } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { number } from '#text/format.ts'
import { UNIT_FACTS, unitOf } from '#trading/kinds.ts'
import { ACTION_WORDS } from '#trading/record-words.ts'
import { RULE_ACTIONS, type RuleAction } from '#trading/stock-rules.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { NumberField } from '#ui/NumberField.tsx'
import { Segments } from '#ui/Segments.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { Two } from '../../form/Fields.tsx'
import css from './TryCard.module.css'
import { resultOf } from './words.ts'

const NAMES = ['symbol', 'price', 'quantity', 'volume', 'note'] as const
const BLANK = { symbol: '', price: '', quantity: '1', volume: '', note: '' }
const numberOf = (text: string) => (text.trim() === '' ? null : Number(text))

export function TryCard({ strategy, has }: { strategy: Strategy; has: Record<RuledFor, boolean> }) {
  const ctx = useCtx()
  const [chosen, setChosen] = useState<RuledFor>('strategy')
  const applies_to = has[chosen] ? chosen : chosen === 'me' ? 'strategy' : 'me'
  const [action, setAction] = useState<RuleAction>('buy')
  const attempt = useMutation(stockSettingMutations.attempt(ctx, strategy.id))
  const { word, size } = UNIT_FACTS[unitOf(strategy)]
  const inputOf = (typed: typeof BLANK) => ({
    ...{ applies_to, action, symbol: typed.symbol, note: typed.note.trim() || null },
    ...{ price: numberOf(typed.price), quantity: numberOf(typed.quantity), volume: numberOf(typed.volume) },
  })
  const { failure, busy, field, form, change } = useForm<keyof typeof BLANK>({
    initial: BLANK,
    check: (typed) => fieldMessages(tryStockSettings.input, { id: strategy.id, ...inputOf(typed) }),
    send: async (typed, reset) => {
      await attempt.mutateAsync(inputOf(typed))
      // It stays as it was typed: the next try differs in one field.
      reset()
      change(typed)
    },
    refused: (error) => refusal(error, '填的內容還在，', [...NAMES]),
  })
  const found = attempt.data
  return (
    <Card
      title="試一筆"
      pad
      action={
        has.strategy && has.me ? (
          <Segments
            label="哪一種規則"
            value={applies_to}
            onChange={setChosen}
            options={[
              { value: 'strategy', label: '整個策略' },
              { value: 'me', label: '只對我' },
            ]}
          />
        ) : undefined
      }
    >
      <form {...form} className={css.root}>
        <Two>
          <TextField label="股票代號" placeholder="例如：2330" maxLength={10} {...field('symbol')} />
          <SelectField
            label="動作"
            value={action}
            onChange={setAction}
            options={RULE_ACTIONS.map((value) => ({ value, label: ACTION_WORDS[value] }))}
          />
        </Two>
        <Two>
          <NumberField label="價格" unit="元" {...field('price')} />
          <NumberField label="數量" unit={word} integer {...field('quantity')} />
        </Two>
        <Two>
          <NumberField label="成交量" unit="張" integer {...field('volume')} />
          <TextField label="備註" maxLength={200} {...field('note')} />
        </Two>
        <Refused text={failure} />
        <div className={css.foot}>
          <Button kind="soft" type="submit" busy={busy}>
            試試看
          </Button>
          <p className="sp t14" role="status">
            {found &&
              !busy &&
              [
                found.setting ? `規則「${found.setting.name}」` : '沒有一條符合',
                resultOf({ applies_to, result: found.result }).name,
                ...(found.quantity === null ? [] : [`數量 ${number(found.quantity / size)} ${word}`]),
                ...(found.reason === null ? [] : [found.reason]),
              ].join(' · ')}
          </p>
        </div>
        <p className="t13 ink3">用現在的時間與部位試，什麼都不會記下。</p>
      </form>
    </Card>
  )
}
