/* Which strategy a manual signal is for: those one may send to, found by name, with what each holds. */

import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { LISTED, listedStrategies, strategyQueries } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useWithPending } from '#screen/use-with-pending.ts'
import { heldText } from '#text/signal.ts'
import { matchesStrategy, strategyLine } from '#text/strategy.ts'
import { assetOf } from '#trading/kinds.ts'
import { EmptyState, FailState } from '#ui/EmptyState.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { cx } from '#ui/open.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { SearchField } from '#ui/TextField.tsx'
import css from './ManualSheet.module.css'
import { takesManual } from './takes.ts'

/** More than a thumb looks through. */
const MANY = 7
const NONE: readonly never[] = []

export type ManualPickProps = {
  onPick: (id: string) => void
  onClose: () => void
}

export function ManualPick({ onPick, onClose }: ManualPickProps) {
  const ctx = useCtx()
  const [search, setSearch] = useState('')
  const wanted = useDeferredValue(search.trim())
  const first = useQuery(strategyQueries.list(ctx, LISTED))
  // beyond one page the server finds what is not here; with no network there is what any list on this page has
  const all_here = (first.data?.total ?? 0) <= LISTED.page_size
  const found = useQuery({
    ...strategyQueries.list(ctx, { ...LISTED, search: wanted }),
    enabled: !all_here && wanted !== '',
  })
  const asked = !all_here && wanted !== '' && found.data ? found.data.items : first.data?.items
  const here = !all_here && found.isError ? listedStrategies(ctx) : asked
  const may = useWithPending(here ?? NONE).filter(takesManual)
  const shown = may.filter((strategy) => matchesStrategy(strategy, wanted))
  return (
    <Sheet open onClose={onClose} title="手動訊號" subtitle="選一個策略">
      {(may.length > MANY || !all_here) && (
        <div className={css.ManualPickFind}>
          <SearchField label="搜尋策略" placeholder="名稱、商品、代號" value={search} onChange={setSearch} />
        </div>
      )}
      {!asked ? (
        first.error ? (
          <FailState title="讀不到策略" busy={first.isFetching} onRetry={() => void first.refetch()}>
            {failureSentence(first.error, '')}
          </FailState>
        ) : (
          <Skeleton type="list" label="策略載入中" />
        )
      ) : shown.length > 0 ? (
        <ul className={css.ManualPick} aria-label="可以送出訊號的策略">
          {shown.map((strategy) => (
            <li key={strategy.id}>
              <button type="button" onClick={() => onPick(strategy.id)}>
                <span className={cx(css.ManualPickWords, 'sp')}>
                  <b className="t16">{strategy.name}</b>
                  <span className={cx(css.ManualPickLine, 't13 ink3')}>{strategyLine(strategy)}</span>
                </span>
                <span className="num">{heldText(strategy.positions, assetOf(strategy))}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : wanted !== '' ? (
        <EmptyState title="沒有符合的策略">換個名稱或商品再找一次。</EmptyState>
      ) : (
        <EmptyState title="沒有可以送出訊號的策略">建立一個策略，或請組織管理者送出。</EmptyState>
      )}
    </Sheet>
  )
}
