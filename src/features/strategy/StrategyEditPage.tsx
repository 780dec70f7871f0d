/* /strategies/{id}/edit: the same form, filled in. What is on the screen is not replaced while the person types. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strategyQueries } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { isDirty } from '#screen/dirty.ts'
import { ReadFailure } from '#screen/Elsewhere.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { PageHead } from '#ui/PageHead.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { EditForm } from './form/EditForm.tsx'
import { FormPage } from './form/FormPage.tsx'

export function StrategyEditPage({ strategy_id }: { strategy_id: string }) {
  const ctx = useCtx()
  const { open } = useGo()
  const home = `/strategies/${strategy_id}`
  const { data, isFetchedAfterMount, error, isFetching, refetch } = useQuery(
    strategyQueries.one(ctx, strategy_id),
  )
  // another device may change the strategy meanwhile: the form goes on from what it was opened with, and sends only what was changed here
  const [opened, setOpened] = useState({ strategy: data, told: false })
  const { strategy, told } = opened
  const fits = data?.id === strategy_id
  // opened with the device's copy: the server's answer takes its place, once, unless somebody has typed by then
  const newer = isFetchedAfterMount && !isFetching && !error && !told
  if (fits && (strategy?.id !== strategy_id || (newer && !isDirty())))
    setOpened({ strategy: data, told: newer })
  if (strategy?.id === strategy_id)
    return <EditForm key={`${strategy_id} ${strategy.updated_at}`} strategy={strategy} />
  return (
    <FormPage>
      {error ? (
        <>
          <PageHead title="編輯策略" back={{ href: home, label: '策略', onOpen: () => open(home) }} />
          <ReadFailure card error={error} what="這個策略" busy={isFetching} onRetry={() => void refetch()}>
            {failureSentence(error, '')}
          </ReadFailure>
        </>
      ) : (
        <Skeleton type="form" title="編輯策略" />
      )}
    </FormPage>
  )
}
