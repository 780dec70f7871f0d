// The bell of a strategy: rings or not for me. It turns at once, also offline, and turns back when the server says no.
import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { bellFor, type Ringing, ringingOf } from '#contract/channels.ts'
import type { Strategy } from '#contract/strategy.ts'
import { strategyMutations } from '#data/nouns/strategy.ts'
import { failureSentence } from '#screen/failure.ts'
import { QUEUED_WORDS } from '#screen/outbox.ts'
import { toast } from '#screen/toast.ts'
import { useRinging } from '#screen/use-notify.ts'

/**
 * `on(strategy)` is what the bell shows now; `choose` sets what a form said, where it differs; `tap` turns it and says so, with a way
 * back: a thumb that only meant the card silences nothing unseen. The strategies have the waiting calls laid over them.
 */
export function useBell() {
  const { mutate } = useMutation({
    ...strategyMutations.notify(),
    onSuccess: ({ queued }) => {
      if (queued) toast({ title: QUEUED_WORDS, icon: 'offline' })
    },
    onError: failed,
  })
  const press = useRinging()
  // the same one for every card of a list, so that only what changes is drawn again
  return useMemo(
    () => ({
      on: (strategy: Strategy) => strategy.my_notify.enabled,
      choose: ({ id, name, my_notify }: Strategy, choice: Ringing | 'own') => {
        if (choice !== 'own' && choice !== ringingOf(my_notify)) mutate({ id, name, ...bellFor(choice) })
      },
      tap: (strategy: Strategy) => press(strategy),
    }),
    [mutate, press],
  )
}

/** What a card or a row needs of it. */
export type StrategyBell = Pick<ReturnType<typeof useBell>, 'on' | 'tap'>

function failed(error: Error, { name }: Pick<Strategy, 'name'>): void {
  toast({
    title: `「${name}」的通知沒有改`,
    description: failureSentence(error, ''),
    variant: 'destructive',
  })
}
