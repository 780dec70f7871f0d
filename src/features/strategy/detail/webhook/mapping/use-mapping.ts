/* One mapping being made: a message, its proposal, the form, what it would change, saved. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Webhook } from '#contract/webhook.ts'
import { type GivenMessage, webhookMutations, webhookQueries } from '#data/nouns/webhook.ts'
import { useCtx } from '#screen/data.tsx'
import { refusedFields } from '#screen/failure.ts'
import { useChange } from '../save.ts'
import { formOf, type MappingForm, type MappingSettings, mappingOf, withProposal } from './form.ts'
import { usePreview } from './use-preview.ts'

export type MappingStep = 'message' | 'edit' | 'impact' | 'saved'

/** `given` is the message to begin with; null asks for one. */
export function useMapping(webhook: Webhook, given: GivenMessage | null) {
  const ctx = useCtx()
  const [message, setMessage] = useState(given)
  const [edited, setEdited] = useState<MappingForm | null>(null)
  const learn = useQuery({
    ...webhookQueries.learn(ctx, webhook.id, message ?? {}),
    enabled: message !== null,
  })
  const stored = formOf(webhook)
  const form = edited ?? (learn.data ? withProposal(stored, learn.data) : stored)
  const settings: MappingSettings = { format: form.format, mapping: mappingOf(form) }
  const preview = usePreview(webhook.id, learn.data ? message : null, settings)
  const impact = useMutation(webhookMutations.impact(ctx, webhook.id))
  const save = useChange(webhook, ({ mapping }) => (mapping ? '欄位對應已儲存' : '已改回自動判斷'))
  const step: MappingStep = save.isSuccess
    ? 'saved'
    : impact.data
      ? 'impact'
      : learn.data
        ? 'edit'
        : 'message'
  return {
    step,
    message,
    learn,
    form,
    preview,
    impact,
    save,
    dirty: edited !== null && !save.isSuccess,
    faults: refusedFields(impact.error),
    edit: setEdited,
    /** Takes another message; what was edited for the one before goes. */
    take: (next: GivenMessage) => {
      setEdited(null)
      setMessage(next)
    },
    clear: () => setEdited(formOf({ format: form.format, mapping: null })),
    weigh: () => impact.mutate(settings),
    back: () => impact.reset(),
    keep: () => save.mutate({ kind: 'update', input: settings }),
  }
}

export type MappingDraft = ReturnType<typeof useMapping>
