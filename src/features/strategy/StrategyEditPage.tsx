/* /strategies/{id}/edit: the same form, filled in. What is on the screen is not replaced while the person types. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strategyQueries } from '#data/strategy.ts'
import { useCtx } from '#features/shell/data.tsx'
import { FailState } from '#ui/FailState.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { failureText } from './failure.ts'
import { EditForm } from './form/EditForm.tsx'
import './create.css'

export function StrategyEditPage({ strategy_id }: { strategy_id: string }) {
  const ctx = useCtx()
  const { data, error, isFetching, refetch } = useQuery(strategyQueries.one(ctx, strategy_id))
  // another device may change the strategy meanwhile: the form goes on from what it was opened with, and sends only what was changed here
  const [opened, setOpened] = useState(data)
  if (opened?.id !== strategy_id && data?.id === strategy_id) setOpened(data)
  if (opened?.id === strategy_id) return <EditForm key={strategy_id} strategy={opened} />
  return (
    <div className="page form-page">
      {error ? (
        <FailState card title="讀不到這個策略" busy={isFetching} onRetry={() => void refetch()}>
          {failureText(error, '')}
        </FailState>
      ) : (
        <Skeleton type="form" />
      )}
    </div>
  )
}
