/* Changing a webhook: the answer takes its place in the list at once. */
import { useMutation } from '@tanstack/react-query'
import type { InputOf } from '#contract/endpoint.ts'
import { rotateWebhook, setWebhookStatus, updateWebhook, type Webhook } from '#contract/webhook.ts'
import { strategyQueries } from '#data/nouns/strategy.ts'
import { webhookQueries } from '#data/nouns/webhook.ts'
import { useCtx, useData } from '#screen/data.tsx'
import { toast } from '#screen/toast.ts'

/** What may be asked of a webhook. */
export type WebhookChange =
  | { kind: 'update'; input: Omit<InputOf<typeof updateWebhook>, 'id'> }
  | { kind: 'enable'; enabled: boolean }
  | { kind: 'rotate'; grace: 'now' | '1h' | '24h' }

/** `done` is the sentence of the toast. */
export function useChange(webhook: Webhook, done: (changed: Webhook) => string, onDone?: () => void) {
  const data = useData()
  const ctx = useCtx()
  return useMutation({
    mutationFn: (change: WebhookChange): Promise<Webhook> => {
      const { id } = webhook
      if (change.kind === 'enable')
        return data.client.call(setWebhookStatus, { id, enabled: change.enabled }, { ctx })
      if (change.kind === 'rotate')
        return data.client.call(rotateWebhook, { id, grace: change.grace }, { ctx })
      return data.client.call(updateWebhook, { id, ...change.input }, { ctx })
    },
    onSuccess: (changed) => {
      data.query.setQueryData(webhookQueries.ofStrategy(ctx, webhook.strategy_id).queryKey, (old) =>
        old?.map((one) => (one.id === changed.id ? changed : one)),
      )
      void data.query.invalidateQueries({ queryKey: strategyQueries.one(ctx, webhook.strategy_id).queryKey })
      toast({ title: done(changed), icon: 'check' })
      onDone?.()
    },
  })
}
