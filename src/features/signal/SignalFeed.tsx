/* The feed of the first page: the list of /signals, without its search and its address. */
import { lazy, type ReactNode, useMemo } from 'react'
import type { SignalRecord } from '#contract/signal.ts'
import type { Strategy } from '#contract/strategy.ts'
import { useRecords } from '#screen/data.tsx'
import { SignalBoard, useStrategyNames } from './SignalBoard.tsx'

// the first page stands before a record is opened on it
const SignalDrawer = lazy(() => import('./SignalDrawer.tsx').then((it) => ({ default: it.SignalDrawer })))

/** Strategies of the newest ones have their names at once; what is further down is asked for with the list of strategies. */
const NEWEST = 50

export function SignalFeed({
  known,
  latest,
  money,
  head,
  empty,
}: {
  known: readonly Strategy[]
  latest: readonly SignalRecord[]
  money: boolean
  head: (news: number) => ReactNode
  empty: ReactNode
}) {
  const { items } = useRecords()
  const listed = items.length > 0 ? items : latest
  const ids = useMemo(
    () => [...new Set(listed.slice(0, NEWEST).map(({ strategy_id }) => strategy_id))],
    [listed],
  )
  const { names } = useStrategyNames(known, ids)
  return <SignalBoard feed={{ money, head, latest }} names={names} empty={empty} Drawer={SignalDrawer} />
}
