/* /strategies/{id}/edit: the same form, filled in. What is on the screen is not replaced while the person types. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import type { Strategy, StrategyChanges } from '#contract/strategy.ts'
import { strategyMutations, strategyQueries } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { isDirty, useDirtyForm } from '#screen/dirty.ts'
import { ReadFailure } from '#screen/Elsewhere.tsx'
import { failureSentence, refusedFields } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { toast } from '#screen/toast.ts'
import { PERMISSION_WORDS } from '#text/errors.ts'
import { DenyNote } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { FormBar, FormPage, LeaveDialog } from './form/FormPage.tsx'
import { StrategyForm } from './form/StrategyForm.tsx'
import { changesOf, check, useStrategyForm, valuesOf } from './form/use-strategy-form.ts'
import { useBell } from './list/use-bell.ts'

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

/* The form over an existing strategy: sends the changed fields only, then returns to the strategy. */

export function EditForm({ strategy }: { strategy: Strategy }) {
  const ctx = useCtx()
  const { open } = useGo()
  const start = useMemo(() => valuesOf(strategy), [strategy])
  const before = useMemo(() => check(start, strategy.kind), [start, strategy.kind])
  const form = useStrategyForm(strategy.kind, start)
  const done = useRef(false)
  useDirtyForm(form.dirty)
  const home = `/strategies/${strategy.id}`

  const leave = () => {
    done.current = true
    bell.choose(strategy, form.values.notify)
    open(home)
  }
  const bell = useBell()
  const save = useMutation({
    ...strategyMutations.update(ctx),
    onSuccess: () => {
      toast({ title: '已儲存修改', icon: 'check' })
      leave()
    },
    onError: (error) => {
      const fields = refusedFields(error)
      if (fields) form.refuse(fields)
    },
  })
  const submit = () => {
    const input = form.submit()
    if (!input || save.isPending) return
    // stored before a bound was tightened: nothing to compare with, so everything is sent
    const changes = before.ok
      ? changesOf(before.input, input)
      : (({ kind: _kind, ...all }) => all as StrategyChanges)(input)
    if (Object.keys(changes).length === 0) leave()
    else save.mutate({ id: strategy.id, ...changes })
  }
  const { error } = save
  const head = (
    <PageHead
      title="編輯策略"
      meta={strategy.name}
      back={{ href: home, label: strategy.name, onOpen: () => open(home) }}
    />
  )
  if (!strategy.can.includes('edit'))
    return (
      <FormPage>
        {head}
        <DenyNote>
          需要「{PERMISSION_WORDS['strategy:edit']}」的權限。你看得到這個策略，但修改要由組織管理者進行。
        </DenyNote>
      </FormPage>
    )
  return (
    <FormPage>
      {head}
      <StrategyForm
        form={form}
        strategy_id={strategy.id}
        usual={strategy.usual_gap_minutes}
        own={start.notify === 'own'}
        onSubmit={submit}
      >
        <FormBar
          submit="儲存修改"
          busy={save.isPending}
          kept={form.dirty ? '有還沒儲存的修改' : ''}
          problem={
            error && !refusedFields(error) ? failureSentence(error, '修改還留在這一頁，') : form.rest[0]
          }
          cancel="取消"
          onCancel={() => open(home)}
        />
      </StrategyForm>
      <LeaveDialog armed={() => form.dirty && !done.current} keeps={false} onDrop={() => form.reset(start)} />
    </FormPage>
  )
}
