/* 訊號設定: which signals of this strategy count, which I am told of, and a try. */

import { useQuery } from '@tanstack/react-query'
import type { Strategy } from '#contract/strategy.ts'
import { laySettings, stockSettingQueries } from '#data/nouns/notification-setting.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useOutbox } from '#screen/outbox.ts'
import { when } from '#text/format.ts'
import { byServerClock, serverNow } from '#text/now.ts'
import { StaleNote } from '#ui/Banner.tsx'
import { FailState } from '#ui/EmptyState.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { RuleList } from './RuleList.tsx'
import { TryCard } from './TryCard.tsx'

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
  const rules = laySettings(data.items, outbox, ctx, strategy.id)
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
