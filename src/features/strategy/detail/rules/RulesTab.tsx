/* 訊號設定: which signals of this strategy count, which I am told of, and a try. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { fieldMessages } from '#contract/field-messages.ts'
import { STOCK_RULES_MOST } from '#contract/limits.ts'
import { type RuledFor, tryStockSettings } from '#contract/stock-signal-setting.ts'
import type { Strategy } from '#contract/strategy.ts'
import {
  type SettingWithPending,
  settingsWithPending,
  stockSettingMutations,
  stockSettingQueries,
} from '#data/nouns/notification-setting.ts'
import { Ask } from '#screen/Ask.tsx'
import { useCtx } from '#screen/data.tsx'
import { failureSentence, refusal } from '#screen/failure.ts'
import { QUEUED_WORDS, useOutbox } from '#screen/outbox.ts'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { number, when } from '#text/format.ts'
import { byServerClock, serverNow } from '#text/now.ts'
import { UNIT_FACTS, unitOf } from '#trading/kinds.ts'
import { ACTION_WORDS } from '#trading/record-words.ts'
import { RULE_ACTIONS, type RuleAction } from '#trading/stock-rules.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { FailState, StaleNote } from '#ui/EmptyState.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import { NumberField } from '#ui/NumberField.tsx'
import { Segments } from '#ui/Segments.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Switch } from '#ui/Switch.tsx'
import { Tag } from '#ui/Tag.tsx'
import { TextField } from '#ui/TextField.tsx'
import { useForm } from '#ui/use-form.ts'
import { Two } from '../../form/Fields.tsx'
import { boundsOf, conditionsOf, resultOf } from './draft.ts'
import { RuleSheet } from './RuleSheet.tsx'
import css from './RulesTab.module.css'

export function RulesTab({ strategy }: { strategy: Strategy }) {
  const ctx = useCtx()
  const outbox = useOutbox()
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery(
    stockSettingQueries.ofStrategy(ctx, strategy.id),
  )
  if (!data)
    return error ? (
      <FailState card title="讀不到訊號設定" onRetry={() => void refetch()} busy={isFetching}>
        {failureSentence(error, '規則照常運作，')}
      </FailState>
    ) : (
      <Skeleton type="list" label="訊號設定載入中" />
    )
  const rules = settingsWithPending(data.items, outbox, ctx, strategy.id)
  const of = (which: 'strategy' | 'me') => rules.filter(({ applies_to }) => applies_to === which)
  const may_edit = strategy.can.includes('edit')
  return (
    <div className="stack">
      {error && <StaleNote offline={false} time={when(byServerClock(dataUpdatedAt), serverNow())} />}
      <RuleList strategy={strategy} applies_to="strategy" rules={of('strategy')} may_edit={may_edit} />
      <RuleList strategy={strategy} applies_to="me" rules={of('me')} may_edit />
      {rules.length > 0 && (
        <TryCard strategy={strategy} has={{ strategy: of('strategy').length > 0, me: of('me').length > 0 }} />
      )}
    </div>
  )
}

/* The rules of one kind in their order, with what can be done with each. */

const HEADS = {
  strategy: {
    title: '整個策略',
    words: '由上往下比對，第一條符合的算數；都不符合就記錄並通知。',
    none: '沒有規則：每一筆都記錄並通知。',
  },
  me: {
    title: '只對我',
    words: '決定這個策略的哪些訊號通知我，不影響紀錄，別人也看不到。由上往下比對，第一條符合的算數。',
    none: '沒有規則：照我的通知設定。',
  },
} as const satisfies Record<RuledFor, object>

export type RuleListProps = {
  strategy: Strategy
  applies_to: RuledFor
  rules: readonly SettingWithPending[]
  may_edit: boolean
}

export function RuleList({ strategy, applies_to, rules: standing, may_edit }: RuleListProps) {
  const ctx = useCtx()
  const menus = useId()
  const [asking, setAsking] = useState<
    'add' | { change: SettingWithPending } | { remove: SettingWithPending } | null
  >(null)
  const update = useMutation(stockSettingMutations.update(ctx, strategy.id))
  const order = useMutation(stockSettingMutations.order(ctx, strategy.id))
  // What was just pressed stands at once; a refusal puts it back.
  const pressed = update.isPending ? update.variables.input : null
  const rules = standing.map((one) =>
    one.id === pressed?.setting_id ? { ...one, enabled: pressed.enabled ?? one.enabled } : one,
  )
  const head = HEADS[applies_to]
  const unit = UNIT_FACTS[unitOf(strategy)].word
  const full = rules.length >= STOCK_RULES_MOST
  const failed = (title: string) => (error: unknown) =>
    toast({ title, description: failureSentence(error, '規則維持原樣，'), variant: 'destructive' })
  const turn = ({ id, name }: SettingWithPending, enabled: boolean) =>
    update.mutate(
      { input: { setting_id: id, enabled }, label: `${enabled ? '啟用' : '停用'}規則「${name}」` },
      {
        onSuccess: ({ queued }) => queued && toast({ title: QUEUED_WORDS, icon: 'offline' }),
        onError: failed(`「${name}」沒有變更`),
      },
    )
  const move = (from: number, by: -1 | 1) => {
    const ids = rules.map(({ id }) => id)
    const [id = ''] = ids.splice(from, 1)
    ids.splice(from + by, 0, id)
    if (!order.isPending)
      order.mutate(
        { applies_to, ids },
        {
          // the key that was pressed belongs to the neighbour now
          onSuccess: () => focusKey(`${menus}-${from + by}`),
          onError: failed('順序沒有變更'),
        },
      )
  }
  // Until all have arrived there is no order that the server knows.
  const settled = rules.every(({ waits }) => waits !== 'made')
  const close = () => setAsking(null)
  return (
    <Card title={head.title} {...(rules.length > 0 && { count: rules.length })}>
      <p className={`${css.RuleListWords} t13 ink3`}>{head.words}</p>
      {rules.length > 0 && (
        <ol className={css.RuleListRows}>
          {rules.map((rule, i) => (
            <RuleRow
              key={rule.id}
              rule={rule}
              unit={unit}
              menu={`${menus}-${i}`}
              acts={
                may_edit
                  ? {
                      onSwitch: (enabled) => turn(rule, enabled),
                      onChange: () => setAsking({ change: rule }),
                      onUp: settled && i > 0 ? () => move(i, -1) : null,
                      onDown: settled && i < rules.length - 1 ? () => move(i, 1) : null,
                      onRemove: () => setAsking({ remove: rule }),
                    }
                  : null
              }
            />
          ))}
        </ol>
      )}
      {(may_edit || rules.length === 0) && (
        <div className={css.RuleListFoot}>
          <p className="sp t13 ink3">
            {full ? `已經有 ${STOCK_RULES_MOST} 條，要再加先刪除一條。` : rules.length === 0 && head.none}
          </p>
          {may_edit && (
            <Button size="s" icon="plus" disabled={full} onClick={() => setAsking('add')}>
              新增規則
            </Button>
          )}
        </div>
      )}
      {asking === 'add' && (
        <RuleSheet strategy={strategy} applies_to={applies_to} known={null} onClose={close} />
      )}
      {asking !== null && asking !== 'add' && 'change' in asking && (
        <RuleSheet strategy={strategy} applies_to={applies_to} known={asking.change} onClose={close} />
      )}
      {asking !== null && asking !== 'add' && 'remove' in asking && (
        <Ask
          title={`刪除「${asking.remove.name}」`}
          verb="刪除規則"
          mutation={stockSettingMutations.remove(ctx, strategy.id)}
          input={{ input: { setting_id: asking.remove.id }, label: `刪除規則「${asking.remove.name}」` }}
          done={({ queued }) => ({ title: queued ? QUEUED_WORDS : `已刪除「${asking.remove.name}」` })}
          safe="規則還在，"
          onClose={close}
        >
          <p>之後的訊號不再看這條規則；已經記下的訊號不變。只想停一陣子，可以改用停用。</p>
        </Ask>
      )}
    </Card>
  )
}

function focusKey(menu: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[popovertarget="${menu}"]`)?.focus())
}

/* One rule: its place, what it asks and does, whether it is on, and what can be done with it. */

/** What may be done; null where it cannot be. */
export interface RuleActs {
  onSwitch: (enabled: boolean) => void
  onChange: () => void
  onUp: (() => void) | null
  onDown: (() => void) | null
  onRemove: () => void
}

/** `acts` null: only to be read. `menu` is the id of its menu. */
export type RuleRowProps = { rule: SettingWithPending; unit: string; menu: string; acts: RuleActs | null }

export function RuleRow({ rule, unit, menu, acts }: RuleRowProps) {
  const { name, enabled, order, waits } = rule
  const { name: result, tone, icon } = resultOf(rule)
  const bounds = boundsOf(rule, unit)
  return (
    <li className={css.RuleRow} data-off={!enabled || undefined}>
      <span className={`${css.RuleRowOrder} num`}>{order}</span>
      <div className={css.RuleRowWords}>
        <div className={css.RuleRowTop}>
          <b className="el">{name}</b>
          <Tag tone={enabled ? tone : 'neutral'} icon={icon}>
            {result}
          </Tag>
          {waits !== null && (
            <Tag tone="line" icon="clock">
              待送出
            </Tag>
          )}
        </div>
        <p className="t14 ink2">{conditionsOf(rule)}</p>
        {bounds !== '' && <p className="t13 ink3">{bounds}</p>}
      </div>
      {acts ? (
        <div className={css.RuleRowActions}>
          <Switch
            hideLabel
            label={`${name}：${enabled ? '使用中' : '停用中'}`}
            checked={enabled}
            disabled={waits === 'made'}
            onChange={acts.onSwitch}
          />
          <IconButton icon="more" label={`${name}：更多`} opensId={menu} disabled={waits === 'made'} />
          <Menu
            id={menu}
            label={`${name}：更多`}
            items={[
              { label: '修改', icon: 'edit', onPick: acts.onChange },
              ...(acts.onUp ? [{ label: '上移', icon: 'arrow-up' as const, onPick: acts.onUp }] : []),
              ...(acts.onDown ? [{ label: '下移', icon: 'arrow-down' as const, onPick: acts.onDown }] : []),
              { label: '刪除', icon: 'trash', danger: true, apart: true, onPick: acts.onRemove },
            ]}
          />
        </div>
      ) : (
        !enabled && <span className="t13 ink3">停用中</span>
      )}
    </li>
  )
}

/* 試一筆: a signal that is not sent, and the rule that would decide it. */

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
      <form {...form} className={css.TryCard}>
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
        <div className={css.TryCardFoot}>
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
