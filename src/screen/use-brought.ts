// Strategies as this device's records leave them, while the server that would say so is silent.
import { useQuery } from '@tanstack/react-query'
import { useSnapshot } from 'valtio'
import type { Strategy } from '#contract/strategy.ts'
import { NetworkError } from '#data/failure.ts'
import { strategyStandingQuery } from '#data/nouns/board.ts'
import { marketQueries } from '#data/nouns/market.ts'
import { connection } from '#state/connection.ts'
import { useCtx } from './data.tsx'
import { useRecords } from './records.ts'
import { useTables } from './tables.ts'

const NO_DAYS: readonly string[] = []

/** True while nobody answers; a refusal is an answer. `error` that of what was asked. */
export function useAlone(error: unknown): boolean {
  const { state } = useSnapshot(connection)
  return error ? error instanceof NetworkError : state === 'offline'
}

/** Those of `strategies` that the device knows better, by id. */
export function useBrought(strategies: readonly Strategy[], alone: boolean) {
  const ctx = useCtx()
  // Kept on the device, so that the figures can be computed there when the network is gone.
  const calendar = useQuery(marketQueries.calendar())
  // what came since is another question
  useRecords()
  const closed_days = calendar.data?.closed_days ?? NO_DAYS
  const standing = strategyStandingQuery(ctx, alone ? strategies : [], closed_days, useTables())
  const { data } = useQuery({ ...standing, enabled: alone && standing.enabled === true })
  return alone ? data : undefined
}
