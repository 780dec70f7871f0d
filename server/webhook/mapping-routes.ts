// The calls that try a mapping: learn, preview, impact. They read, and store nothing.
import { impactOfMapping, learnMapping, previewMapping } from '#contract/mapping.ts'
import { findStrategy } from '../access/strategies.ts'
import { findWebhook } from '../access/webhooks.ts'
import type { Actor, App } from '../context.ts'
import type { Db } from '../db/schema.ts'
import { handle, type Route } from '../http/handle.ts'
import { formatsOf } from '../ingest/formats.ts'
import { impactOf, previewOf, tried } from '../ingest/trial.ts'
import { closedDays } from '../record/closed-days.ts'
import { lastReadable, learn, messageOf } from './learn.ts'

/** Calls on a mapping that is not saved yet. */
export function mappingRoutes(app: App): Route[] {
  const found = async (db: Db, actor: Actor, webhook_id: string) => {
    const webhook = await findWebhook(db, actor, webhook_id)
    const strategy = await findStrategy(db, actor, webhook.strategy_id)
    return { webhook, strategy, ...(await formatsOf(db, webhook)), closed_days: closedDays(app) }
  }
  return [
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
