// One strategy as far as anybody knows: the server's answer; while it is silent, the newest that any screen heard, led on by the device's records.
import { useQuery } from '@tanstack/react-query'
import { isOver } from '#data/device/answers.ts'
import { dashboardQueries } from '#data/nouns/board.ts'
import { LISTED, strategyQueries } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { useAlone, useBrought } from '#screen/use-with-pending.ts'

export function useStrategy(id: string) {
  const ctx = useCtx()
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery(strategyQueries.one(ctx, id))
  const alone = useAlone(error)
  const list = useQuery({ ...strategyQueries.list(ctx, LISTED), enabled: alone })
  const board = useQuery({ ...dashboardQueries.mine(ctx), enabled: alone })
  const heard = [{ strategy: data, at: dataUpdatedAt }]
  if (alone)
    heard.push(
      { strategy: list.data?.items.find((one) => one.id === id), at: list.dataUpdatedAt },
      { strategy: board.data?.strategies.find((one) => one.id === id), at: board.dataUpdatedAt },
    )
  const newest = heard.filter(({ strategy }) => strategy).sort((a, b) => b.at - a.at)[0]
  const brought = useBrought(newest?.strategy ? [newest.strategy] : [], alone)
  return {
    // taken away while it was open: what was read before is nobody's to show
    data: isOver(error) ? undefined : (brought?.get(id) ?? newest?.strategy),
    dataUpdatedAt: newest?.at ?? 0,
    error,
    isFetching,
    refetch,
  }
}
