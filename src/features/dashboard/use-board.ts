// The first screen's figures: the server's answer, with everything the device's own records know better.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useSnapshot } from 'valtio'
import type { Strategy } from '#contract/strategy.ts'
import { boardOnDevice, openCount, strategyStandingQuery } from '#data/nouns/board.ts'
import { dashboardQueries } from '#data/nouns/dashboard.ts'
import { marketQueries } from '#data/nouns/market.ts'
import { useCtx } from '#screen/data.tsx'
import { useRecords } from '#screen/records.ts'
import { useTables } from '#screen/tables.ts'
import { useLaid } from '#screen/use-laid.ts'
import { connection } from '#state/connection.ts'

const NO_DAYS: readonly string[] = []
const NO_STRATEGIES: readonly Strategy[] = []
/** So long a newer answer may be on its way; behind for longer, it is asked for. */
const BEHIND_MS = 2_000

/** `drawn` the page stands: until then nothing more is asked. */
export function useBoard(now: string, drawn: boolean) {
  const ctx = useCtx()
  const { data: answer, dataUpdatedAt, error, isFetching, refetch } = useQuery(dashboardQueries.mine(ctx))
  const calendar = useQuery({ ...marketQueries.calendar(), enabled: drawn })
  const held = useRecords()
  const { state } = useSnapshot(connection)
  const closed_days = calendar.data?.closed_days ?? NO_DAYS
  const standing = strategyStandingQuery(ctx, answer?.strategies ?? NO_STRATEGIES, closed_days, useTables())
  const alone = error !== null || state !== 'online'
  const { data: brought } = useQuery({ ...standing, enabled: alone && standing.enabled === true })
  // a record that came by catching up brought no event that asks again
  const behind = standing.enabled === true && !alone ? JSON.stringify(standing.queryKey) : null
  useEffect(() => {
    if (behind === null) return
    const timer = setTimeout(() => void refetch(), BEHIND_MS)
    return () => clearTimeout(timer)
  }, [behind, refetch])
  const known = useMemo(
    () => answer && boardOnDevice(answer, held, new Set(closed_days), now),
    [answer, held, closed_days, now],
  )
  const board = useMemo(() => {
    if (!known || !brought || !alone) return known?.board
    const strategies = known.board.strategies.map((strategy) => brought.get(strategy.id) ?? strategy)
    return { ...known.board, strategies, open_strategy_count: openCount(known.board, strategies) }
  }, [known, brought, alone])
  const strategies = useLaid(board?.strategies ?? NO_STRATEGIES)
  const laid = useMemo(
    () =>
      board && strategies !== board.strategies
        ? { ...board, strategies: [...strategies], open_strategy_count: openCount(board, strategies) }
        : board,
    [board, strategies],
  )
  return { board: laid, day: known?.day, held, answered_at: dataUpdatedAt, error, isFetching, refetch }
}
