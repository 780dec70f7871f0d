/* ?manual=1: the sheet of a manual signal over this page, its code loaded when it is wanted; first the strategy, where the page has several. */
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { OutboxRow } from '#contract/outbox.ts'
import type { Strategy } from '#contract/strategy.ts'
import { listedStrategies, strategyQueries } from '#data/nouns/strategy.ts'
import { byHand } from '#data/nouns/waiting.ts'
import { useCtx } from '#screen/data.tsx'
import { useManual } from '#screen/keys.ts'
import { correcting } from '#screen/outbox.ts'
import { takesManual } from './takes.ts'

const ManualSheet = lazy(() =>
  import('./ManualSheet.tsx').then(({ ManualSheet }) => ({ default: ManualSheet })),
)
const ManualPick = lazy(() => import('./ManualPick.tsx').then(({ ManualPick }) => ({ default: ManualPick })))

/** `strategies`: those of the page. Another one is asked for by its id, or chosen among all of them. */
export function ManualGate({ strategies }: { strategies: readonly Strategy[] }) {
  const manual = useManual()
  // from 待送匣: what was refused comes back to be corrected
  const [taken, setTaken] = useState<OutboxRow | null>(null)
  const { row } = useSnapshot(correcting)
  const comes = row && byHand(row) !== null ? correcting.row : null
  useEffect(() => {
    if (comes === null) return
    setTaken(comes)
    correcting.row = null
  }, [comes])
  // from the first frame on: a sheet that opened without it would be made twice
  const refused = comes ?? taken
  const search = useRouterState({ select: ({ location }) => location.searchStr })
  const asked = new URLSearchParams(search).get('manual')
  const may = strategies.filter(takesManual)
  const here = may.find(({ id }) => id === asked) ?? (may.length === 1 ? may[0] : undefined)
  // of a long list the page has only a part
  const named = asked?.includes('-') === true && !here
  const ctx = useCtx()
  const { data, isFetching } = useQuery({ ...strategyQueries.one(ctx, asked ?? ''), enabled: named })
  // with no network, as one of the lists on this page has it
  const other = data ?? (named ? listedStrategies(ctx).find(({ id }) => id === asked) : undefined)
  if (asked === null) return null
  const close = () => {
    setTaken(null)
    manual.close()
  }
  const chosen = here ?? (named && other && takesManual(other) ? other : undefined)
  // 補一筆: what is missing before a signal that the source places elsewhere
  const before = new URLSearchParams(search).get('gap')
  const gap = chosen?.position_gaps?.find(({ signal_id }) => signal_id === before) ?? null
  return (
    <Suspense fallback={null}>
      {chosen ? (
        <ManualSheet
          key={refused?.key ?? chosen.id}
          strategy={chosen}
          refused={refused}
          gap={gap}
          onClose={close}
        />
      ) : named && isFetching ? null : (
        <ManualPick onPick={manual.pick} onClose={close} />
      )}
    </Suspense>
  )
}
