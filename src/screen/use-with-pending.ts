// Strategies with what waits to be sent laid over their positions; the code for it comes when something waits.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Strategy } from '#contract/strategy.ts'
import { NetworkError } from '#data/failure.ts'
import { strategyStandingQuery } from '#data/nouns/board.ts'
import { marketQueries } from '#data/nouns/market.ts'
import { waitingSignals } from '#data/nouns/waiting.ts'
import { connection } from '#state/app.ts'
import { useCtx, useData, useRecords, useTables } from './data.tsx'
import { useOutbox } from './outbox.ts'

type WithPending = typeof import('#data/nouns/foreseen.ts')['withPendingSignals']
const NO_DAYS: readonly string[] = []

export function useWithPending(strategies: readonly Strategy[]): readonly Strategy[] {
  const outbox = useOutbox()
  const ctx = useCtx()
  // not listened to: a record that comes changes the strategy as well
  const { signals } = useData()
  const waiting = useMemo(() => waitingSignals(outbox, ctx), [outbox, ctx])
  const [lay, setLay] = useState<{ with: WithPending } | null>(null)
  const wanted = waiting.length > 0
  const table = useTables()
  const { data: calendar } = useQuery({ ...marketQueries.calendar(), enabled: wanted })
  useEffect(() => {
    if (!wanted) return
    let here = true
    import('#data/nouns/foreseen.ts').then(
      ({ withPendingSignals }) => here && setLay({ with: withPendingSignals }),
      (error: unknown) => console.warn('manual signals', error), // without it the rows above the list still say what waits
    )
    return () => {
      here = false
    }
  }, [wanted])
  return useMemo(
    () =>
      wanted && lay
        ? strategies.map((one) =>
            lay.with(one, waiting, calendar?.closed_days ?? NO_DAYS, table, signals.ofStrategy(one.id)),
          )
        : strategies,
    [strategies, waiting, wanted, lay, calendar, table, signals],
  )
}

// Strategies as this device's records leave them, while the server that would say so is silent.

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
