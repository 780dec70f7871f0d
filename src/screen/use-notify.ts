// How I am told of one strategy: changed at once, also offline; what a press on a bell has done is said, with the way back.
import { useMutation } from '@tanstack/react-query'
import { useCallback } from 'react'
import { bellFor, type Ringing, ringingOf } from '#contract/channels.ts'
import type { Strategy } from '#contract/strategy.ts'
import { type NotifyChange, strategyMutations } from '#data/nouns/strategy.ts'
import { failureSentence } from '#screen/failure.ts'
import { QUEUED_WORDS } from '#screen/outbox.ts'
import { toast } from '#screen/toast.ts'
import { ringingSaid } from '#text/notification.ts'

const failed = (error: Error, { name }: Pick<Strategy, 'name'>) =>
  toast({
    title: `「${name}」的通知沒有改`,
    description: failureSentence(error, '設定維持原樣，'),
    variant: 'destructive',
  })

export function useNotify({ id, name }: Pick<Strategy, 'id' | 'name'>) {
  const { mutate } = useMutation({
    ...strategyMutations.notify(),
    onSuccess: ({ queued }) => queued && toast({ title: QUEUED_WORDS, icon: 'offline' }),
    onError: failed,
  })
  return (changes: NotifyChange) => mutate({ id, name, ...changes })
}

/**
 * A press on the bell of a strategy that has what waits laid over it: 響, 安靜收下 or 關, or off and on again as it was. Each press
 * says what it did, however soon the next one comes.
 */
export function useRinging() {
  const { mutateAsync } = useMutation({ ...strategyMutations.notify(), onError: failed })
  return useCallback(
    ({ id, name, my_notify: { enabled, channels } }: Strategy, choice?: Ringing) => {
      const change = choice ? bellFor(choice) : { enabled: !enabled }
      const before = choice ? { enabled, channels } : { enabled }
      const now = ringingOf({ enabled, channels, ...change })
      const told = ({ queued }: { queued: boolean }) =>
        toast({
          title: ringingSaid(name, now),
          icon: queued ? 'offline' : now === 'off' ? 'info' : 'check',
          ...(queued && { description: QUEUED_WORDS }),
          action: {
            label: '復原',
            onPick: () => void mutateAsync({ id, name, ...before }).catch(told_already),
          },
        })
      mutateAsync({ id, name, ...change }).then(told, told_already)
    },
    [mutateAsync],
  )
}

/** `failed` has said it. */
const told_already = () => undefined
