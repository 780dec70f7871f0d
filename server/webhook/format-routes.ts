// The calls on formats of a webhook, and those that try a mapping: learn, preview, impact read, and store nothing.
import {
  confirmFormat,
  deleteFormat,
  impactOfMapping,
  learnMapping,
  listFormats,
  previewMapping,
  updateFormat,
} from '#contract/webhook-format.ts'
import { findStrategy } from '../access/strategies.ts'
import { findWebhook, holdWebhook, seenWebhook } from '../access/webhooks.ts'
import type { Actor, App } from '../context.ts'
import type { Db } from '../db/schema.ts'
import { handle, type Route } from '../http/handle.ts'
import { formatsOf } from '../ingest/formats.ts'
import { impactOf, previewOf, tried } from '../ingest/trial.ts'
import { closedDays } from '../record/closed-days.ts'
import { confirm, formatsOfWebhook, remove, update } from './formats.ts'
import { lastReadable, learn, messageOf } from './learn.ts'

export function formatRoutes(app: App): Route[] {
  const found = async (db: Db, actor: Actor, webhook_id: string) => {
    const webhook = await findWebhook(db, actor, webhook_id)
    const strategy = await findStrategy(db, actor, webhook.strategy_id)
    return { webhook, strategy, ...(await formatsOf(db, webhook)), closed_days: closedDays(app) }
  }
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
    handle(app, learnMapping, async ({ input, actor, tx, request: { at, ip } }) => {
      const ground = await found(tx.db, actor, input.webhook_id)
      return learn(ground, await messageOf(tx.db, ground.webhook, input, { at, ip }))
    }),
    handle(app, previewMapping, async ({ input, actor, tx, request: { at, ip } }) => {
      const ground = await found(tx.db, actor, input.webhook_id)
      const message = await messageOf(tx.db, ground.webhook, input, { at, ip })
      return previewOf(tried(ground, message, input))
    }),
    handle(app, impactOfMapping, async ({ input, actor, tx }) => {
      const ground = await found(tx.db, actor, input.id)
      return impactOf(ground, await lastReadable(tx.db, ground.webhook.id), input)
    }),
  ]
}
