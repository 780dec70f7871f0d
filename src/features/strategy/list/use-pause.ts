// Pausing and resuming a strategy from the list.
import { useMutation } from '@tanstack/react-query'
import type { Strategy } from '#contract/strategy.ts'
import { strategyMutations } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { toast } from '#screen/toast.ts'

/** Turns an active strategy into a paused one and any other into an active one; says what it did, or why not. */
export function usePause() {
  const ctx = useCtx()
  const change = useMutation({
    ...strategyMutations.turn(ctx),
    onSuccess: (changed) => {
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
  })
  return ({ id, name, status }: Strategy) =>
    change.mutate({ id, name, status: status === 'active' ? 'paused' : 'active' })
}
