// The calls on webhooks and on what they received.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileAnswer, OutputOf } from '#contract/endpoint.ts'
import { ApiError, invalid } from '#contract/errors.ts'
import type { Scope } from '#contract/events.ts'
import { isId } from '#contract/ids.ts'
import {
  BRIDGE_FILES,
  type BridgePlatform,
  createWebhook,
  deleteWebhook,
  getBridge,
  listDeliveries,
  listStrategyWebhooks,
  listWebhooks,
  type Mapping,
  reasonsAt,
  replayDelivery,
  rotateWebhook,
  setWebhookStatus,
  testWebhook,
  updateWebhook,
  type Webhook,
} from '#contract/webhook.ts'
import {
  confirmFormat,
  deleteFormat,
  impactOfMapping,
  learnMapping,
  listFormats,
  previewMapping,
  replayDeliveries,
  updateFormat,
} from '#contract/webhook-format.ts'
import { taipei } from '#trading/calendar.ts'
import { exampleLevelOf, exampleSymbol } from '#trading/examples.ts'
import { mappableLeaves, propose } from '#trading/reader/mapping.ts'
import {
  checkIpList,
  findStrategy,
  findWebhook,
  holdStrategy,
  holdWebhook,
  seenWebhook,
} from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import { settingsOf } from '../db/query.ts'
import type { Db, DeliveryRow, StrategyRow, WebhookRow } from '../db/schema.ts'
import { handle, type Route } from '../http/handle.ts'
import { confirmedOf, formatsOf, sampleOf } from '../ingest/format-store.ts'
import { EMPTY_MAPPING, payloadStrategy, storedMapping } from '../ingest/judge.ts'
import { presentDelivery, presentWebhooks } from '../ingest/request.ts'
import type { ReadingGround } from '../ingest/reread.ts'
import { impactOf, previewOf, type TriedMessage, tried } from '../ingest/trial.ts'
import { closedDays } from '../record/calendar.ts'
import { inOrder } from '../usage/messages.ts'
import { confirm, formatsOfWebhook, remove, update } from './formats.ts'
import * as store from './store.ts'
import { deliveriesOf, deliveriesToReplay, findDelivery, listWebhookRows, webhooksOf } from './store.ts'

// The calls on formats of a webhook, and those that try a mapping: learn, preview, impact read, and store nothing.

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
async function lastReadable(db: Db, webhook_id: string): Promise<(TriedMessage & { id: string })[]> {
  const rows = await inOrder('desc', LOOKED, (place) =>
    db
      .selectFrom(place)
      .select(['id', 'body', 'received_at', 'source_ip'])
      .where('webhook_id', '=', webhook_id)
      .where('test', '=', 0)
      .where('body', 'is not', null)
      .where('body_encoding', '=', 'utf-8')
      .where((eb) => eb.or([eb('reason_code', 'is', null), eb('reason_code', 'not in', NOT_LEARNED)]))
      .orderBy('id', 'desc')
      .limit(LOOKED)
      .execute(),
  )
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

// The bridge with a webhook's address in it, ready to run.

/** How the language writes a text. */
const QUOTED: Record<BridgePlatform, (text: string) => string> = {
  powershell: (text) => `'${text.replaceAll("'", "''")}'`,
  python: (text) => JSON.stringify(text),
}
/** Windows PowerShell reads a file without this mark as the system's own encoding. */
const MARK: Record<BridgePlatform, string> = { powershell: '\uFEFF', python: '' }

/** `url` null: the webhook has no address any more, 4220. */
async function bridgeOf(url: string | null, platform: BridgePlatform): Promise<FileAnswer> {
  if (url === null) throw new ApiError(4220, { text: '這個 Webhook 沒有網址；請先更換網址，再下載橋接程式' })
  const filename = BRIDGE_FILES[platform]
  const text = await readFile(join(import.meta.dirname, 'bridge', filename), 'utf8')
  // a replacer: $ in an address is no pattern
  const script = MARK[platform] + text.replace('__URL__', () => QUOTED[platform](url))
  return { filename, content_type: 'text/plain; charset=utf-8', chunks: once(script) }
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}

// The message a test sends when the person brings none: what this webhook's sender would plausibly write.

/** A message of the format that was confirmed last, as it came; null where none is kept. */
async function confirmedSample(db: Db, { id }: WebhookRow): Promise<string | null> {
  for (const row of (await confirmedOf(db, [id])).toReversed()) {
    const sample = await sampleOf(db, row)
    if (sample) return sample.body
  }
  return null
}

/** A body in the webhook's own format and mapping, for the strategy's own product, fired `at`. */
function sampleBody(webhook: WebhookRow, strategy: StrategyRow, at: string): string {
  const { settings } = settingsOf(strategy)
  const values = {
    symbol: exampleSymbol(settings),
    action: strategy.direction === 'short' ? 'short_entry' : 'long_entry',
    quantity: strategy.default_quantity,
    price: exampleLevelOf(settings),
    time: at,
  }
  const mapping = storedMapping(webhook.mapping)
  if (mapping) return JSON.stringify(laidOut(values, mapping))
  if (webhook.format === 'multicharts') {
    const { date, time } = taipei(at)
    const printed = `${date} ${time}`.replaceAll(/[-:]/g, '')
    return `${printed} ${values.symbol} ${values.price} ${strategy.direction === 'short' ? 'SellShort' : 'Buy'}`
  }
  const { time: timenow, ...rest } = values
  return JSON.stringify({ ...rest, timenow })
}

/** The values at the places the mapping reads them from; unmapped ones under their own names. */
function laidOut(values: Record<string, string | number>, mapping: Mapping): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(values)) {
    const source = mapping.fields[field as keyof Mapping['fields']]
    if (typeof source === 'object') continue
    const said = field === 'action' ? (wordFor(String(value), mapping) ?? value) : value
    const path = (source ?? (field === 'time' ? 'timenow' : field)).split('.')
    const last = path.pop() as string
    let node = body
    for (const part of path) {
      const next = typeof node[part] === 'object' && node[part] !== null ? node[part] : {}
      node[part] = next
      node = next as Record<string, unknown>
    }
    node[last] = said
  }
  return body
}

/** The sender's own word for an action, when the mapping knows one. */
function wordFor(action: string, mapping: Mapping): string | undefined {
  return Object.entries(mapping.words).find(([, meant]) => meant === action)?.[0]
}

/** Webhooks: lists, create, update, switch, rotate, delete, test; deliveries: list, replay of one and of many. */
export function webhookRoutes(app: App): Route[] {
  /** Tells the strategy's people that something of it changed, and gives the webhook as it is now. */
  const told = async (tx: Tx, strategy: StrategyRow, row: WebhookRow): Promise<Webhook> => {
    await tx.append(strategy.scope as Scope, 'strategy', { id: strategy.id, change: 'updated' })
    return (await presentWebhooks(app, tx.db, [row]))[0] as Webhook
  }
  return [
    handle(app, listWebhooks, async ({ input, actor, tx }) => {
      const { rows, total } = await listWebhookRows(tx.db, actor, input)
      return {
        items: await presentWebhooks(app, tx.db, rows),
        total,
        page: input.page,
        page_size: input.page_size,
      }
    }),
    handle(app, listStrategyWebhooks, async ({ input, actor, tx }) => {
      const { id } = await findStrategy(tx.db, actor, input.id)
      return presentWebhooks(app, tx.db, await webhooksOf(tx.db, id))
    }),
    handle(app, createWebhook, async ({ input, actor, tx }) => {
      const strategy = await holdStrategy(app, tx.db, actor, input.strategy_id, 'strategy:edit')
      await store.checkRoom(tx, strategy)
      return told(tx, strategy, await store.insertWebhook(app, tx, input))
    }),
    handle(app, updateWebhook, async ({ input: { id, ...changes }, actor, tx }) => {
      if (changes.ip_allow) checkIpList(changes.ip_allow)
      const { webhook, strategy } = await holdWebhook(app, tx.db, actor, id)
      return told(tx, strategy, await store.updateWebhookRow(tx, webhook, changes))
    }),
    handle(app, setWebhookStatus, async ({ input, actor, tx }) => {
      const { webhook, strategy } = await holdWebhook(app, tx.db, actor, input.id)
      return told(tx, strategy, await store.setEnabled(tx, webhook, input.enabled))
    }),
    handle(app, rotateWebhook, async ({ input, actor, tx }) => {
      const { webhook, strategy } = await holdWebhook(app, tx.db, actor, input.id)
      return told(tx, strategy, await store.rotate(app, tx, webhook, input.grace))
    }),
    handle(app, deleteWebhook, async ({ input, actor, tx }) => {
      const { webhook, strategy } = await holdWebhook(app, tx.db, actor, input.id)
      await store.removeWebhook(tx, webhook)
      await tx.append(strategy.scope as Scope, 'strategy', { id: strategy.id, change: 'updated' })
      return null
    }),
    handle(app, testWebhook, async ({ input, actor, tx, request }) => {
      const { webhook, strategy } = await holdWebhook(app, tx.db, actor, input.id)
      const body =
        input.body ?? (await confirmedSample(tx.db, webhook)) ?? sampleBody(webhook, strategy, tx.at)
      const { delivery, answer } = await app.intake.test(tx, { webhook, strategy }, body, { ip: request.ip })
      return { delivery: presentDelivery(delivery), answer }
    }),
    handle(app, getBridge, async ({ input, actor, tx }) => {
      const webhook = await findWebhook(tx.db, actor, input.id)
      const [shown] = await presentWebhooks(app, tx.db, [webhook])
      return bridgeOf(shown?.url ?? null, input.platform)
    }),
    handle(app, listDeliveries, async ({ input, actor, tx }) => {
      const { id } = await findWebhook(tx.db, actor, input.id)
      if (input.before !== undefined && !isId(input.before))
        throw invalid({ before: '游標不正確，請從頭讀取' })
      const { rows, next_before } = await deliveriesOf(tx.db, id, input)
      return { items: rows.map(presentDelivery), next_before }
    }),
    handle(app, replayDelivery, async ({ input, actor, tx }) => {
      const held = await holdWebhook(app, tx.db, actor, input.id)
      const delivery = await findDelivery(tx.db, input.id, input.delivery_id)
      if (!delivery) throw new ApiError(4040)
      const readBy = await formatsOf(tx.db, held.webhook)
      const wish = { ...held, ...readBy, uid: actor.uid, dry_run: false, notify: () => false }
      const [plan] = (await app.intake.replay(tx, wish, [delivery])).plans
      if (plan?.why && delivery.signal_id === null && delivery.test === 0)
        throw new ApiError(4221, { text: plan.why })
      return presentDelivery(plan?.next ?? delivery)
    }),
    handle(app, replayDeliveries, async ({ input, actor, tx }) => {
      const { dry_run, notify, mapping, format } = input
      const { webhook, strategy } = dry_run
        ? await seenWebhook(tx.db, actor, input.id)
        : await holdWebhook(app, tx.db, actor, input.id)
      const { rows, total, next_after } = await deliveriesToReplay(tx.db, webhook.id, input)
      const settings = {
        ...(format !== undefined && { format }),
        ...(mapping !== undefined && { mapping: mapping && JSON.stringify(mapping) }),
      }
      const wish = {
        ...{ webhook: { ...webhook, ...settings }, strategy, uid: actor.uid, dry_run },
        // By other settings: as it would be asked about with them, and who asks sees it first.
        ...(Object.keys(settings).length > 0 ? { formats: null } : await formatsOf(tx.db, webhook)),
        notify: () => notify,
      }
      const { items, counts } = await app.intake.replay(tx, wish, rows)
      return { dry_run, items, counts, total, next_after }
    }),
  ]
}
