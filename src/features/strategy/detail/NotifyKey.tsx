/* The bell: whether I am told of this strategy's signals. */
import { useMutation } from '@tanstack/react-query'
import { type Strategy, updateStrategyNotify } from '#contract/strategy.ts'
import { strategyQueries } from '#data/strategy.ts'
import { useCtx, useData } from '#features/shell/data.tsx'
import { toast } from '#features/shell/toast.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { failureText } from '../failure.ts'

export function NotifyKey({ strategy }: { strategy: Strategy }) {
  const data = useData()
  const ctx = useCtx()
  const { queryKey } = strategyQueries.one(ctx, strategy.id)
  const paint = (enabled: boolean) =>
    data.query.setQueryData(queryKey, (old) => old && { ...old, my_notify: { ...old.my_notify, enabled } })
  const save = useMutation({
    mutationFn: (enabled: boolean) =>
      data.client.call(updateStrategyNotify, { id: strategy.id, enabled }, { ctx }),
    onMutate: paint,
    onSuccess: ({ enabled }) => {
      paint(enabled)
      toast({ title: enabled ? '這個策略的訊號會通知你' : '這個策略不再通知你', icon: 'check' })
      void data.query.invalidateQueries({ queryKey: strategyQueries.all(ctx) })
    },
    onError: (error, enabled) => {
      paint(!enabled)
      toast({
        title: '通知沒有改成',
        description: failureText(error, '設定維持原樣，'),
        variant: 'destructive',
      })
    },
  })
  const { enabled } = strategy.my_notify
  return (
    <IconButton
      icon={enabled ? 'bell' : 'bell-off'}
      label={`通知${enabled ? '開' : '關'}`}
      pressed={enabled}
      onClick={() => save.mutate(!enabled)}
    />
  )
}
