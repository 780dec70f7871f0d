/* The feed of the first page: the list of /signals, without its search and its address. */
import { lazy, type ReactNode, useMemo } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { useRecords } from '#screen/data.tsx'
import { SignalBoard, useStrategyNames } from './SignalBoard.tsx'

// the first page stands before a record is opened on it
const SignalDrawer = lazy(() => import('./SignalDrawer.tsx').then((it) => ({ default: it.SignalDrawer })))

/** Strategies of the newest ones have their names at once; what is further down is asked for with the list of strategies. */
const NEWEST = 50

export function SignalFeed({
  known,
  money,
  head,
  empty,
}: {
  known: readonly Strategy[]
  money: boolean
  head: (news: number) => ReactNode
  empty: ReactNode
}) {
  const { items } = useRecords()
  const ids = useMemo(
    () => [...new Set(items.slice(0, NEWEST).map(({ strategy_id }) => strategy_id))],
    [items],
  )
  const { names } = useStrategyNames(known, ids)
  return <SignalBoard feed={{ money, head }} names={names} empty={empty} Drawer={SignalDrawer} />
}
