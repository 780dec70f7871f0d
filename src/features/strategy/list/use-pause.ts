// Pausing and resuming a strategy from the list.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Strategy, updateStrategy } from '#contract/strategy.ts'
import { strategyQueries } from '#data/nouns/strategy.ts'
import { useCtx, useData } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { toast } from '#screen/toast.ts'

/** Turns an active strategy into a paused one and any other into an active one; says what it did, or why not. */
export function usePause() {
  const data = useData()
  const ctx = useCtx()
  const query = useQueryClient()
  const change = useMutation({
    mutationFn: ({ id, status }: Strategy) =>
      data.client.call(updateStrategy, { id, status: status === 'active' ? 'paused' : 'active' }, { ctx }),
    onSuccess: (changed) => {
      query.setQueryData(strategyQueries.one(ctx, changed.id).queryKey, changed)
      toast({
        title:
          changed.status === 'paused'
            ? `「${changed.name}」已暫停：訊號照常記錄，不通知任何人`
            : `「${changed.name}」已啟用`,
        icon: 'check',
      })
    },
    onError: (error, { name }) =>
      toast({
        title: `「${name}」的狀態沒有改成`,
        description: failureSentence(error, '策略維持原樣，'),
        variant: 'destructive',
      }),
    onSettled: () => query.invalidateQueries({ queryKey: strategyQueries.all(ctx) }),
  })
  return change.mutate
}
