/* ?manual=1: the sheet of a manual signal over this page, its code loaded when it is wanted; first the strategy, where the page has several. */
import { useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { OutboxRow } from '#contract/outbox.ts'
import type { Strategy } from '#contract/strategy.ts'
import { useGo } from '#screen/go.ts'
import { manualHref } from '#screen/manual.ts'
import { correcting } from '#screen/outbox.ts'

const ManualSheet = lazy(() =>
  import('./ManualSheet.tsx').then(({ ManualSheet }) => ({ default: ManualSheet })),
)
const ManualPick = lazy(() => import('./ManualPick.tsx').then(({ ManualPick }) => ({ default: ManualPick })))

/** Those that may be sent to: what is archived takes none. */
export const takesManual = ({ can, status }: Pick<Strategy, 'can' | 'status'>): boolean =>
  can.includes('edit') && status !== 'archived'

export function ManualGate({ strategies }: { strategies: readonly Strategy[] }) {
  const { open } = useGo()
  // from 待送匣: what was refused comes back to be corrected
  const [refused, setRefused] = useState<OutboxRow | null>(null)
  const { row } = useSnapshot(correcting)
  useEffect(() => {
    if (!row?.endpoint.startsWith('signal.manual-')) return
    setRefused(correcting.row as OutboxRow)
    correcting.row = null
  }, [row])
  const search = useRouterState({ select: ({ location }) => location.searchStr })
  const asked = new URLSearchParams(search).get('manual')
  if (asked === null) return null
  const may = strategies.filter(takesManual)
  const close = () => {
    setRefused(null)
    const left = new URLSearchParams(location.search)
    left.delete('manual')
    left.delete('gap')
    open(`${location.pathname}${left.size > 0 ? `?${left}` : ''}`, true)
  }
  const chosen = may.find(({ id }) => id === asked) ?? (may.length === 1 ? may[0] : undefined)
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
      ) : (
        <ManualPick strategies={may} onPick={(id) => open(manualHref(id), true)} onClose={close} />
      )}
    </Suspense>
  )
}
