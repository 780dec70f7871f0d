/* Changing a webhook, and saying so. */
import { useMutation } from '@tanstack/react-query'
import type { Webhook } from '#contract/webhook.ts'
import { webhookMutations } from '#data/nouns/webhook.ts'
import { useCtx } from '#screen/data.tsx'
import { toast } from '#screen/toast.ts'

/** `done` is the sentence of the toast. */
export function useChange(webhook: Webhook, done: (changed: Webhook) => string, onDone?: () => void) {
  const ctx = useCtx()
  return useMutation({
    ...webhookMutations.change(ctx, webhook),
    onSuccess: (changed) => {
      toast({ title: done(changed), icon: 'check' })
      onDone?.()
    },
  })
}
