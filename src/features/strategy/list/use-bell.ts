// The bell of a strategy: rings or not for me. It turns at once, also offline, and turns back when the server says no.
import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { strategyMutations } from '#data/nouns/strategy.ts'
import { failureSentence } from '#screen/failure.ts'
import { QUEUED_WORDS } from '#screen/outbox.ts'
import { toast } from '#screen/toast.ts'

/**
 * `on(strategy)` is what the bell shows now; `turn(strategy)` turns it, `tap(strategy)` says so, too, with a way back: a thumb that
 * only meant the card silences nothing unseen. The strategies have the waiting calls laid over them.
 */
export function useBell() {
  const turn = useMutation({
    ...strategyMutations.notify(),
    onSuccess: ({ queued }) => {
      if (queued) toast({ title: QUEUED_WORDS, icon: 'offline' })
    },
    onError: failed,
  })
  const { mutate } = turn
  const tapped = useMutation({
    ...strategyMutations.notify(),
    onSuccess: ({ queued }, { id, name, enabled = true }) =>
      toast({
        title: enabled ? `「${name}」的訊號會通知你` : `「${name}」的訊號不再通知你`,
        icon: queued ? 'offline' : enabled ? 'check' : 'info',
        ...(queued && { description: QUEUED_WORDS }),
        action: { label: '復原', onPick: () => mutate({ id, name, enabled: !enabled }) },
      }),
    onError: failed,
  })
  const { mutate: tap } = tapped
  // the same one for every card of a list, so that only what changes is drawn again
  return useMemo(
    () => ({
      on: (strategy: Strategy) => strategy.my_notify.enabled,
      turn: (strategy: Strategy) => mutate(turned(strategy)),
      tap: (strategy: Strategy) => tap(turned(strategy)),
    }),
    [mutate, tap],
  )
}

/** What a card or a row needs of it. */
export type StrategyBell = Pick<ReturnType<typeof useBell>, 'on' | 'tap'>

const turned = ({ id, name, my_notify }: Strategy) => ({ id, name, enabled: !my_notify.enabled })

function failed(error: Error, { name }: Pick<Strategy, 'name'>): void {
  toast({
    title: `「${name}」的通知沒有改`,
    description: failureSentence(error, ''),
    variant: 'destructive',
  })
}
