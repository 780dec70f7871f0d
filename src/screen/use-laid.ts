// Strategies with what waits to be sent laid over their positions; the code for it comes when something waits.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { marketQueries } from '#data/nouns/market.ts'
import { waitingSignals } from '#data/nouns/waiting.ts'
import { useCtx, useData } from './data.tsx'
import { useOutbox } from './outbox.ts'
import { useTables } from './tables.ts'

type Lay = typeof import('#data/nouns/foreseen.ts')['layWaiting']
const NO_DAYS: readonly string[] = []

export function useLaid(strategies: readonly Strategy[]): readonly Strategy[] {
  const outbox = useOutbox()
  const ctx = useCtx()
  // not listened to: a record that comes changes the strategy as well
  const { signals } = useData()
  const waiting = useMemo(() => waitingSignals(outbox, ctx), [outbox, ctx])
  const [lay, setLay] = useState<{ with: Lay } | null>(null)
  const wanted = waiting.length > 0
  const table = useTables()
  const { data: calendar } = useQuery({ ...marketQueries.calendar(), enabled: wanted })
  useEffect(() => {
    if (!wanted) return
    let here = true
    import('#data/nouns/foreseen.ts').then(
      ({ layWaiting }) => here && setLay({ with: layWaiting }),
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
