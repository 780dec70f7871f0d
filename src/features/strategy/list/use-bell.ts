// The bell of a strategy: rings or not for me. It turns at once, also offline, and turns back when the server says no.
import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { strategyMutations } from '#data/nouns/strategy.ts'
import { failureSentence } from '#screen/failure.ts'
import { QUEUED_WORDS } from '#screen/outbox.ts'
import { toast } from '#screen/toast.ts'

/** `on(strategy)` is what the bell shows now, `turn(strategy)` turns it. The strategies have the waiting calls laid over them. */
export function useBell() {
  const turn = useMutation({
    ...strategyMutations.notify(),
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
  const { mutate } = turn
  // the same one for every card of a list, so that only what changes is drawn again
  return useMemo(
    () => ({
      on: (strategy: Strategy) => strategy.my_notify.enabled,
      turn: ({ id, name, my_notify }: Strategy) => mutate({ id, name, enabled: !my_notify.enabled }),
    }),
    [mutate],
  )
}
