/* The bell: whether I am told of this strategy's signals. Turns at once, also offline. */
import { useMutation } from '@tanstack/react-query'
import { type Strategy, updateStrategyNotify } from '#contract/strategy.ts'
import { strategyMutations } from '#data/nouns/strategy.ts'
import { failureSentence } from '#screen/failure.ts'
import { notifyHref, useGo } from '#screen/go.ts'
import { QUEUED_WORDS, useWaiting } from '#screen/outbox.ts'
import { toast } from '#screen/toast.ts'
import { IconButton } from '#ui/IconButton.tsx'

/** `strategy` has the waiting calls laid over it. */
export function NotifyKey({ strategy }: { strategy: Strategy }) {
  const { id, name } = strategy
  const { open } = useGo()
  const waiting = useWaiting([updateStrategyNotify.name], id)
  const save = useMutation({
    ...strategyMutations.notify(),
    onSuccess: ({ queued }, { enabled }) =>
      toast(
        queued
          ? { title: QUEUED_WORDS, icon: 'offline' }
          : {
              title: enabled ? '已打開這個策略的通知' : '已關掉這個策略的通知',
              icon: 'check',
              action: { label: '通知設定', onPick: () => open(notifyHref(id)) },
            },
      ),
    onError: (error) =>
      toast({
        title: '通知沒有改成',
        description: failureSentence(error, '設定維持原樣，'),
        variant: 'destructive',
      }),
  })
  const { enabled } = strategy.my_notify
  return (
    <IconButton
      icon={enabled ? 'bell' : 'bell-off'}
      label={`通知${enabled ? '開' : '關'}${waiting ? '，待送出' : ''}`}
      pressed={enabled}
      onClick={() => save.mutate({ id, name, enabled: !enabled })}
    />
  )
}
