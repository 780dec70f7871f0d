/* 最新訊號: the ten newest, live; a new one comes in with the soft highlight. */

import { lazy, memo, Suspense } from 'react'
import { useSnapshot } from 'valtio'
import type { SignalRecord } from '#contract/signal.ts'
import type { Strategy } from '#contract/strategy.ts'
import { getData } from '#data/current.ts'
import { unsentSignals } from '#data/nouns/waiting.ts'
import { useCtx } from '#screen/data.tsx'
import { useGo } from '#screen/go.ts'
import { manualHref, useManual } from '#screen/manual.ts'
import { useOutbox } from '#screen/outbox.ts'
import { useMay } from '#screen/profile.ts'
import { useRecords } from '#screen/records.ts'
import { connection } from '#state/connection.ts'
import { rowOf } from '#text/row.ts'
import { taipei, when } from '#text/time.ts'
import { isSignal } from '#trading/day.ts'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { StateWord } from '#ui/nouns/Delta.tsx'
import { SignalList, SignalRow } from '#ui/nouns/SignalRow.tsx'
import { cx, opens } from '#ui/open.ts'
import css from './Latest.module.css'
import { useFresh } from './use-fresh.ts'
import { useNames } from './use-names.ts'

const WaitingSignals = lazy(() =>
  import('#screen/WaitingSignals.tsx').then(({ WaitingSignals }) => ({ default: WaitingSignals })),
)

const SHOWN = 10

/** `kept` and `strategies` are the dashboard's own, shown while the device has not looked yet. */
export type LatestProps = {
  kept: readonly SignalRecord[]
  strategies: readonly Strategy[]
  now: string
  masked: boolean
  /** False leaves the P&L out, as the page's first card does. */
  money: boolean
}

export const Latest = memo(function Latest({ kept, strategies, now, masked, money }: LatestProps) {
  const { open } = useGo()
  const manual = useManual()
  const live = useRecords()
  const fresh = useFresh(live)
  const waits = unsentSignals(useOutbox(), useCtx())
  const may_send = useMay('strategy:edit')
  const { state } = useSnapshot(connection)
  const shown = (live.state === 'ready' ? live.items : kept).filter(isSignal).slice(0, SHOWN)
  const names = useNames(strategies, [
    ...shown.map(({ strategy_id }) => strategy_id),
    ...waits.map(({ params }) => params['strategy_id'] ?? ''),
  ])
  const today = taipei(now).day
  const old = (record: SignalRecord) => taipei(record.occurred_at).day !== today
  return (
    <Card
      bleed
      title="最新訊號"
      className={cx(css.root, shown.some(old) && css.dated)}
      remark={state === 'online' && !getData().viewed && <StateWord text="即時" icon="check" />}
      action={
        <span className={css.ways}>
          {may_send && strategies.length > 0 && (
            <a className="link t13" href={manualHref()} onClick={opens(() => manual.open())}>
              手動訊號
            </a>
          )}
          <a className="link t13" href="/signals" onClick={opens(() => open('/signals'))}>
            全部訊號
          </a>
        </span>
      }
    >
      {waits.length > 0 && (
        <Suspense fallback={null}>
          <WaitingSignals names={names} />
        </Suspense>
      )}
      {shown.length === 0 ? (
        <EmptyState className={css.none} title="還沒有訊號">
          策略送來的每一筆，會在一秒內出現在這裡。
        </EmptyState>
      ) : (
        <SignalList label="最新訊號" framed>
          {shown.map((record) => {
            const href = `/signals?signal=${record.id}`
            const row = rowOf(record, names.get(record.strategy_id) ?? '')
            const time = old(record) ? when(record.occurred_at, now) : row.time
            return (
              <SignalRow
                key={record.id}
                {...row}
                pnl={money ? row.pnl : null}
                time={time}
                highlight={fresh.has(record.id)}
                masked={masked}
                href={href}
                onOpen={() => open(href)}
              />
            )
          })}
        </SignalList>
      )}
    </Card>
  )
})
