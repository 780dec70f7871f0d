/* Filters, list and opened record together, with every state that is not a list: waiting, empty, nothing found, failed. */

import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { RECORDS_ON_DEVICE } from '#contract/limits.ts'
import { useDrawn } from '#screen/after-paint.ts'
import { useCtx, useData } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useUnsentSignals } from '#screen/outbox.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { useMay } from '#screen/profile.ts'
import { useRecords } from '#screen/records.ts'
import { number } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState, FailState } from '#ui/EmptyState.tsx'
import { cx } from '#ui/open.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { useAddress } from './address.ts'
import { FilterBar } from './FilterBar.tsx'
import css from './SignalBoard.module.css'
import { SignalDrawer } from './SignalDrawer.tsx'
import { SignalWindow } from './SignalWindow.tsx'
import { filterKey, matcher, NO_FILTERS } from './search.ts'
import { useSteps } from './use-steps.ts'
import type { Reach } from './use-travel.ts'
import { VerifyKey } from './verify/VerifyKey.tsx'

const CorrectDialog = lazy(() =>
  import('./record/CorrectDialog.tsx').then(({ CorrectDialog }) => ({ default: CorrectDialog })),
)

/** `strategy_id` only one strategy's; `names` of all strategies, null when rows leave the strategy out; `webhooks` by id, when one may choose among them; `empty` what to say and do when nothing came yet. */
export type SignalBoardProps = {
  strategy_id?: string
  names: ReadonlyMap<string, string> | null
  webhooks?: ReadonlyMap<string, string> | undefined
  empty: ReactNode
}

const WaitingSignals = lazy(() =>
  import('#screen/WaitingSignals.tsx').then(({ WaitingSignals }) => ({ default: WaitingSignals })),
)

const NO_NAMES: ReadonlyMap<string, string> = new Map()

export function SignalBoard({ strategy_id, names, webhooks, empty }: SignalBoardProps) {
  const data = useData()
  const ctx = useCtx()
  const { items, complete, state, error, total_known } = useRecords(strategy_id)
  const { search, open, move, close, hrefOf, filter } = useAddress()
  const { on: masked } = usePrivacy()
  const [trying, setTrying] = useState(false)
  const waits = useUnsentSignals(ctx, strategy_id)
  const may_edit = useMay('strategy:edit')
  const drawn = useDrawn()
  const [led] = useState(search.signal !== undefined)
  const [fixing, setFixing] = useState<string | null>(null)
  const unpriced = fixing === null ? undefined : data.signals.get(fixing)
  const filters = filterKey(search)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `filters` is the part of `search` that matters; the opened record is not
  const match = useMemo(() => matcher(search, names ?? NO_NAMES), [filters, names])
  const found = useMemo(() => (match ? items.some(match) : items.length > 0), [items, match])

  const reach = useRef<Reach | null>(null)
  /** The record that keys led to: when it closes, its row has the focus, not the first one's. */
  const moved = useRef<string | null>(null)
  useSteps(
    search.signal,
    () => (match ? items.filter(match) : items).map(({ id }) => id),
    (id) => {
      moved.current = id
      move(id)
    },
  )
  useEffect(() => {
    if (search.signal !== undefined || moved.current === null) return
    reach.current?.(moved.current)
    moved.current = null
  }, [search.signal])

  const retry = () => {
    setTrying(true)
    void data.refresh().finally(() => setTrying(false))
  }
  // one strategy's records may still be on their way from the device's store into memory
  const looking = state === 'loading' || data.signals.getSnapshot().items.length < total_known
  const list = (
    <>
      <FilterBar
        search={search}
        onChange={filter}
        strategies={names}
        {...(webhooks && { webhooks })}
        aside={strategy_id !== undefined && <VerifyKey strategy_id={strategy_id} onOpen={open} />}
      />
      {found ? (
        <SignalWindow
          key={ctx}
          all={items}
          match={match}
          filters={filters}
          loaded={state === 'ready'}
          names={names}
          masked={masked}
          hrefOf={hrefOf}
          onOpen={open}
          onFix={may_edit ? setFixing : undefined}
          reach={reach}
        />
      ) : (
        <EmptyState
          title="沒有符合條件的訊號"
          action={<Button onClick={() => filter(NO_FILTERS)}>清除條件</Button>}
        >
          {complete ? '換個條件試試。' : '較早的訊號還在讀取，稍候會自動出現。'}
        </EmptyState>
      )}
      {found && total_known >= RECORDS_ON_DEVICE && (
        <p className={cx(css.more, 't13 ink3')}>這支裝置保留最新的 {number(RECORDS_ON_DEVICE)} 筆訊號。</p>
      )}
      {unpriced && (
        <Suspense fallback={null}>
          <CorrectDialog record={unpriced} onClose={() => setFixing(null)} />
        </Suspense>
      )}
    </>
  )
  return (
    <>
      {waits && (
        <Suspense fallback={null}>
          <WaitingSignals {...(strategy_id !== undefined && { strategy_id })} names={names} />
        </Suspense>
      )}
      {items.length > 0 ? (
        // whoever comes for a record sees it first, and the list a frame later
        (drawn || !led) && list
      ) : error && state !== 'ready' ? (
        <FailState title="讀不到訊號" onRetry={retry} busy={trying} card>
          這支裝置還沒有存下訊號。{failureSentence(error)}
        </FailState>
      ) : looking ? (
        <Skeleton type="list" label="訊號載入中" />
      ) : (
        empty
      )}
      {/* the same one when the first records come: opened from a link, it slides in once */}
      {search.signal && <SignalDrawer id={search.signal} names={names} onClose={close} onOpen={open} />}
    </>
  )
}
