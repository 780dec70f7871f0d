/* The rules of one kind in their order, with what can be done with each. */
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { STOCK_RULES_MOST } from '#contract/limits.ts'
import type { RuledFor } from '#contract/stock-signal-setting.ts'
import type { Strategy } from '#contract/strategy.ts'
import { type LaidSetting, stockSettingMutations } from '#data/nouns/notification-setting.ts'
import { Ask } from '#screen/Ask.tsx'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { QUEUED_WORDS } from '#screen/outbox.ts'
import { toast } from '#screen/toast.ts'
import { UNIT_FACTS, unitOf } from '#trading/kinds.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import css from './RuleList.module.css'
import { RuleRow } from './RuleRow.tsx'
import { RuleSheet } from './RuleSheet.tsx'

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
  rules: readonly LaidSetting[]
  may_edit: boolean
}

export function RuleList({ strategy, applies_to, rules: standing, may_edit }: RuleListProps) {
  const ctx = useCtx()
  const menus = useId()
  const [asking, setAsking] = useState<'add' | { change: LaidSetting } | { remove: LaidSetting } | null>(null)
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
  const turn = ({ id, name }: LaidSetting, enabled: boolean) =>
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
      <p className={`${css.words} t13 ink3`}>{head.words}</p>
      {rules.length > 0 && (
        <ol className={css.rows}>
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
        <div className={css.foot}>
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
