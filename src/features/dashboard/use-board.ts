// The first screen's figures: the server's answer, with everything the device's own records know better.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSnapshot } from 'valtio'
import type { Strategy } from '#contract/strategy.ts'
import { boardOnDevice, openCount } from '#data/board.ts'
import { dashboardQueries } from '#data/dashboard.ts'
import { marketQueries } from '#data/market.ts'
import { standingQuery } from '#data/standing.ts'
import { useCtx } from '#features/shell/data.tsx'
import { useRecords } from '#features/shell/records.ts'
import { connection } from '#state/connection.ts'

const NO_DAYS: readonly string[] = []
const NO_STRATEGIES: readonly Strategy[] = []

/** `drawn` the page stands: until then nothing more is asked. */
export function useBoard(now: string, drawn: boolean) {
  const ctx = useCtx()
  const { data: answer, error, isFetching, refetch } = useQuery(dashboardQueries.mine(ctx))
  const calendar = useQuery({ ...marketQueries.calendar(), enabled: drawn })
  const held = useRecords()
  const closed_days = calendar.data?.closed_days ?? NO_DAYS
  const asked = answer?.strategies ?? NO_STRATEGIES
  const standing = standingQuery(ctx, asked, closed_days)
  const { state } = useSnapshot(connection)
  // while the server answers, its answer to the newest record is on its way
  const alone = error !== null || state !== 'online'
  const { data: brought } = useQuery({ ...standing, enabled: alone && standing.enabled === true })
  const known = useMemo(
    () => answer && boardOnDevice(answer, held, new Set(closed_days), now),
    [answer, held, closed_days, now],
  )
  const board = useMemo(() => {
    if (!known || !brought || !alone) return known?.board
    const strategies = known.board.strategies.map((strategy) => brought.get(strategy.id) ?? strategy)
    return { ...known.board, strategies, open_strategy_count: openCount(known.board, strategies) }
  }, [known, brought, alone])
  return { board, day: known?.day, held, error, isFetching, refetch }
}
