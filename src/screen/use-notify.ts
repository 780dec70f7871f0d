// How I am told of one strategy: changed at once, also offline.
import { useMutation } from '@tanstack/react-query'
import type { Strategy } from '#contract/strategy.ts'
import { type NotifyChange, strategyMutations } from '#data/nouns/strategy.ts'
import { failureSentence } from '#screen/failure.ts'
import { QUEUED_WORDS } from '#screen/outbox.ts'
import { toast } from '#screen/toast.ts'

export function useNotify({ id, name }: Pick<Strategy, 'id' | 'name'>) {
  const { mutate } = useMutation({
    ...strategyMutations.notify(),
    onSuccess: ({ queued }) => queued && toast({ title: QUEUED_WORDS, icon: 'offline' }),
    onError: (error) =>
      toast({
        title: `「${name}」的通知沒有改`,
        description: failureSentence(error, '設定維持原樣，'),
        variant: 'destructive',
      }),
  })
  return (changes: NotifyChange) => mutate({ id, name, ...changes })
}
