// The calls on formats of a webhook.
import { confirmFormat, deleteFormat, listFormats, updateFormat } from '#contract/webhook-format.ts'
import { holdWebhook, seenWebhook } from '../access/webhooks.ts'
import type { App } from '../context.ts'
import { handle, type Route } from '../http/handle.ts'
import { confirm, formatsOfWebhook, remove, update } from './formats.ts'

export function formatRoutes(app: App): Route[] {
  return [
    handle(app, listFormats, async ({ input, actor, tx }) =>
      formatsOfWebhook(app, tx.db, await seenWebhook(tx.db, actor, input.id)),
    ),
    handle(app, confirmFormat, async ({ input: { id, ...given }, actor, tx }) => ({
      signal_ids: await confirm(app, tx, await holdWebhook(app, tx.db, actor, id), actor.uid, given),
    })),
    handle(app, updateFormat, async ({ input: { id, ...given }, actor, tx }) =>
      update(app, tx, await holdWebhook(app, tx.db, actor, id), given),
    ),
    handle(app, deleteFormat, async ({ input, actor, tx }) => {
      await remove(tx, await holdWebhook(app, tx.db, actor, input.id), input.format_id)
      return null
    }),
  ]
}
