// The bell of a strategy: rings or not for me. It turns at once, also offline, and turns back when the server says no.
import { useMutation } from '@tanstack/react-query'
import { type Strategy, updateStrategyNotify } from '#contract/strategy.ts'
import { useData } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { QUEUED_WORDS } from '#screen/outbox.ts'
import { toast } from '#screen/toast.ts'

/** `on(strategy)` is what the bell shows now, `turn(strategy)` turns it. The strategies have the waiting calls laid over them. */
export function useBell() {
  const data = useData()
  const turn = useMutation({
    mutationFn: ({ id, enabled, name }: { id: string; enabled: boolean; name: string }) =>
      data.outbox.send(
        updateStrategyNotify,
        { id, enabled },
        { label: `${enabled ? '打開' : '關掉'}「${name}」的通知`, base: { enabled: !enabled } },
      ),
    onSuccess: ({ queued }) => {
      if (queued) toast({ title: QUEUED_WORDS, icon: 'offline' })
    },
    onError: (error, { name }) =>
      toast({
        title: `「${name}」的通知沒有改`,
        description: failureSentence(error, ''),
        variant: 'destructive',
      }),
  })
  return {
    on: (strategy: Strategy) => strategy.my_notify.enabled,
    turn: (strategy: Strategy) =>
      turn.mutate({ id: strategy.id, name: strategy.name, enabled: !strategy.my_notify.enabled }),
  }
}
