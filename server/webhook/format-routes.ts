// The calls on formats of a webhook, and those that try a mapping: learn, preview, impact read, and store nothing.
import type { OutputOf } from '#contract/endpoint.ts'
import { ApiError, invalid } from '#contract/errors.ts'
import { reasonsAt, type Webhook } from '#contract/webhook.ts'
import {
  confirmFormat,
  deleteFormat,
  impactOfMapping,
  learnMapping,
  listFormats,
  previewMapping,
  updateFormat,
} from '#contract/webhook-format.ts'
import { mappableLeaves, propose } from '#trading/reader/mapping.ts'
import { findStrategy, findWebhook, holdWebhook, seenWebhook } from '../access/strategies.ts'
import type { Actor, App } from '../context.ts'
import type { Db, DeliveryRow, WebhookRow } from '../db/schema.ts'
import { handle, type Route } from '../http/handle.ts'
import { formatsOf } from '../ingest/formats.ts'
import { EMPTY_MAPPING, payloadStrategy } from '../ingest/judge.ts'
import type { ReadingGround } from '../ingest/reread.ts'
import { impactOf, previewOf, type TriedMessage, tried } from '../ingest/trial.ts'
import { closedDays } from '../record/calendar.ts'
import { confirm, formatsOfWebhook, remove, update } from './formats.ts'
import { findDelivery } from './list.ts'

// A mapping learned from one message: which message is meant, what is proposed for it, and the deliveries it is tried on.

/** Who sent these is not known, or they could not be read for another reason than their words. */
const NOT_LEARNED = [...reasonsAt('sender', 'opening')]
/** How many of the last deliveries are read both ways. */
const LOOKED = 50

/** The message of a call: the pasted one, or a delivery of this webhook. */
export async function messageOf(
  db: Db,
  webhook: WebhookRow,
  input: { body?: string | undefined; delivery_id?: string | undefined },
  now: { at: string; ip: string },
): Promise<TriedMessage> {
  if ((input.body === undefined) === (input.delivery_id === undefined))
    throw invalid({ body: '請貼一則訊息，或選一則收到的紀錄' })
  if (input.body !== undefined) return { body: input.body, received_at: now.at, source_ip: now.ip }
  const delivery = await findDelivery(db, webhook.id, input.delivery_id as string)
  if (!delivery) throw new ApiError(4040)
  const { body, body_encoding, received_at, source_ip } = delivery
  if (body === null) throw invalid({ delivery_id: '這一則沒有保留內容（超過 64 KB 或已過 30 天）' })
  if (body_encoding !== 'utf-8') throw invalid({ delivery_id: '這一則不是文字，無法建立對應' })
  return { body, received_at, source_ip }
}

/** What is proposed for a message, and how it reads with that. */
export function learn(ground: ReadingGround, message: TriedMessage): OutputOf<typeof learnMapping> {
  const { webhook, strategy } = ground
  const automatic = tried(ground, message, { format: formatOf(webhook), mapping: null })
  const body = automatic.body_encoding === 'utf-8' ? (automatic.body ?? '') : message.body
  const { product_code } = payloadStrategy(strategy)
  const { fields, ...proposed } = propose({
    leaves: mappableLeaves(body),
    reading: automatic.reading,
    refusal: automatic.reason_code && { reason_code: automatic.reason_code, field: automatic.field },
    format: formatOf(webhook),
    product: product_code,
    at: message.received_at,
  })
  const settings = { format: proposed.format, mapping: { ...EMPTY_MAPPING, fields } }
  const preview = previewOf(tried(ground, message, settings))
  return { ...proposed, ...settings, body, preview }
}

/** The last deliveries that a mapping can be tried on, newest first. */
export async function lastReadable(db: Db, webhook_id: string): Promise<(TriedMessage & { id: string })[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select(['id', 'body', 'received_at', 'source_ip'])
    .where('webhook_id', '=', webhook_id)
    .where('test', '=', 0)
    .where('body', 'is not', null)
    .where('body_encoding', '=', 'utf-8')
    .where((eb) => eb.or([eb('reason_code', 'is', null), eb('reason_code', 'not in', NOT_LEARNED)]))
    .orderBy('id', 'desc')
    .limit(LOOKED)
    .execute()
  return rows.map((row) => ({ ...row, body: row.body as Exclude<DeliveryRow['body'], null> }))
}

const formatOf = (webhook: WebhookRow) => webhook.format as Webhook['format']

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
