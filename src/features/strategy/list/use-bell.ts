// The bell of a strategy: rings or not for me. It turns at once and turns back when the server says no.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Strategy, updateStrategyNotify } from '#contract/strategy.ts'
import { strategyQueries } from '#data/strategy.ts'
import { useCtx, useData } from '#features/shell/data.tsx'
import { toast } from '#features/shell/toast.ts'
import { failureText } from '../failure.ts'

/** `on(strategy)` is what the bell shows now, `turn(strategy)` turns it. */
export function useBell() {
  const data = useData()
  const ctx = useCtx()
  const query = useQueryClient()
  const turn = useMutation({
    mutationFn: ({ id, enabled }: { id: string; enabled: boolean; name: string }) =>
      data.client.call(updateStrategyNotify, { id, enabled }),
    onError: (error, { name }) =>
      toast({
        title: `「${name}」的通知沒有改`,
        description: failureText(error, ''),
        variant: 'destructive',
      }),
    onSettled: () => query.invalidateQueries({ queryKey: strategyQueries.all(ctx) }),
  })
  const wanted = turn.isPending ? turn.variables : undefined
  return {
    on: (strategy: Strategy) => (wanted?.id === strategy.id ? wanted.enabled : strategy.my_notify.enabled),
    turn: (strategy: Strategy) =>
      turn.mutate({ id: strategy.id, name: strategy.name, enabled: !strategy.my_notify.enabled }),
  }
}
