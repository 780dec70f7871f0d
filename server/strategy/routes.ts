// The calls on strategies.

import type { Endpoint } from '#contract/endpoint.ts'
import { ApiError, invalid } from '#contract/errors.ts'
import { NOTE_IMAGE_BYTES, NOTE_IMAGE_PX } from '#contract/limits.ts'
import { getStatistics, getStockStatistics } from '#contract/statistics.ts'
import {
  createStockSetting,
  deleteStockSetting,
  listStockSettings,
  orderStockSettings,
  tryStockSettings,
  updateStockSetting,
} from '#contract/stock-signal-setting.ts'
import {
  answerGap,
  createStrategy,
  deleteStrategy,
  duplicateStrategy,
  getNoteImage,
  getStrategy,
  listStrategies,
  type Strategy,
  settleExpiry,
  updateStrategy,
  updateStrategyNotify,
  uploadNoteImage,
} from '#contract/strategy.ts'
import type { Webhook } from '#contract/webhook.ts'
import { today } from '../access/membership.ts'
import { seeStrategy } from '../access/organization.ts'
import { findStrategy, holdStrategy, mayEdit, requireStill, visibleStrategies } from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import type { Db, StrategyRow, WebhookRow } from '../db/schema.ts'
import { getPicture } from '../file/storage.ts'
import { keepImage, storeImage, undoImage } from '../file/store.ts'
import { type Call, handle, type Route } from '../http/handle.ts'
import { copyFormats } from '../ingest/format-store.ts'
import { storedMapping } from '../ingest/judge.ts'
import { presentWebhooks } from '../ingest/request.ts'
import { usualGap } from '../record/silence.ts'
import { insertWebhook, webhooksOf } from '../webhook/store.ts'
import { settle } from './expiry.ts'
import { answerTo } from './gap.ts'
import { listRows } from './list.ts'
import { findImage } from './note-images.ts'
import { writeNotify } from './notify.ts'
import { originalDataRoutes } from './original-data.ts'
import { presentStrategies } from './present.ts'
import { readStatistics, readStockStatistics } from './statistics.ts'
import * as settings from './stock-settings.ts'
import { copyRules } from './stock-settings.ts'
import * as store from './store.ts'
import { fieldsOfRow, insertStrategy } from './store.ts'

// A strategy made after another: everything set on it, its rules, and how its messages are read; its own address, no secret, no record.

/** The copy and its webhook. It runs, whatever state the original is in; 4040 for one that is not the caller's to see. */
export async function duplicate(
  app: App,
  tx: Tx,
  actor: Actor,
  { id, name }: { id: string; name: string },
): Promise<{ row: StrategyRow; webhook: WebhookRow }> {
  const original = await findStrategy(tx.db, actor, id)
  if (original.deleted_at !== null) throw new ApiError(4040)
  const first = await tx.db
    .selectFrom('webhooks')
    .select(['id', 'name', 'format', 'mapping'])
    .where('strategy_id', '=', original.id)
    .where('deleted_at', 'is', null)
    .orderBy('enabled', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  const row = await insertStrategy(app, tx, actor, { ...fieldsOfRow(original), name, status: 'active' })
  const webhook = await insertWebhook(app, tx, {
    strategy_id: row.id,
    name: first?.name ?? FIRST_WEBHOOK,
    format: (first?.format ?? 'auto') as Webhook['format'],
    mapping: storedMapping(first?.mapping ?? null),
  })
  if (first) await copyFormats(tx, first.id, webhook.id)
  await copyRules(tx, original.id, row.id)
  return { row, webhook }
}

/** What the webhook of a new strategy is called. */
const FIRST_WEBHOOK = '主要'

// The calls on pictures of notes: brought, and read by whoever may read the note.

function imageRoutes(app: App): Route[] {
  return [
    handle(app, uploadNoteImage, {
      async prepare({ actor, input: { image } }) {
        if (!actor.email_verified) throw new ApiError(6010)
        if (image.byteLength > NOTE_IMAGE_BYTES)
          throw new ApiError(4130, {
            text: `圖片太大，最多 ${NOTE_IMAGE_BYTES / 1024 / 1024} MB；請縮小後再上傳`,
          })
        await app.limits.take('image', actor.uid)
        return storeImage(app, image, { max_px: NOTE_IMAGE_PX, of_note: true })
      },
      async run({ tx, actor, prepared }) {
        await requireStill(tx.db, actor, 'strategy:create', today(app))
        await keepImage(tx, prepared, { scope: actor.scope, kind: 'note', uid: actor.uid })
        return { url: prepared.url }
      },
      undo: undoImage,
    }),
    handle(app, getNoteImage, async ({ tx, actor, input: { id } }) => {
      const name = await findImage(tx.db, actor, id)
      const bytes = name === null ? null : await getPicture(app, name)
      if (!bytes) throw new ApiError(4040)
      return { filename: `${id}.webp`, content_type: 'image/webp', chunks: once(bytes) }
    }),
  ]
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Strategies: list, get, create, update, delete, my notify setting, figures. */
export function strategyRoutes(app: App): Route[] {
  const present = async (db: Db, actor: Actor, row: StrategyRow) =>
    (await presentStrategies(app, db, actor, [row]))[0] as Strategy
  const anew = {
    id: ({ id }: Strategy) => id,
    async read({ actor, tx }: Pick<Call<Endpoint>, 'actor' | 'tx'>, id: string) {
      return present(tx.db, actor, await seeStrategy(app, tx.db, actor, id))
    },
  }
  /** A new one is shown with its webhooks. */
  const anew_whole = {
    id: anew.id,
    async read(call: Pick<Call<Endpoint>, 'actor' | 'tx'>, id: string) {
      const webhooks = await presentWebhooks(app, call.tx.db, await webhooksOf(call.tx.db, id))
      return { ...(await anew.read(call, id)), ...(mayEdit(call.actor) && { webhooks }) }
    },
  }
  return [
    handle(app, listStrategies, async ({ input, actor, tx }) => {
      const { rows, behind, ...whole } = await listRows(app, tx.db, actor, input)
      const items = await presentStrategies(app, tx.db, actor, rows, behind)
      return { items, page: input.page, page_size: input.page_size, ...whole }
    }),
    handle(app, getStrategy, async ({ input, actor, tx }) => {
      const row = await seeStrategy(app, tx.db, actor, input.id)
      const shown = await present(tx.db, actor, row)
      return mayEdit(actor) ? { ...shown, usual_gap_minutes: await usualGap(app, tx.db, row) } : shown
    }),
    handle(app, createStrategy, {
      anew: anew_whole,
      async run({ input, actor, tx }) {
        if (!actor.email_verified) throw new ApiError(6010)
        await requireStill(tx.db, actor, 'strategy:create', today(app))
        const row = await store.insertStrategy(app, tx, actor, input)
        const webhook = await insertWebhook(app, tx, {
          strategy_id: row.id,
          name: FIRST_WEBHOOK,
          format: 'auto',
          mapping: null,
        })
        const webhooks = await presentWebhooks(app, tx.db, [webhook])
        return { ...(await present(tx.db, actor, row)), webhooks }
      },
    }),
    handle(app, duplicateStrategy, {
      anew: anew_whole,
      async run({ input, actor, tx }) {
        if (!actor.email_verified) throw new ApiError(6010)
        await requireStill(tx.db, actor, 'strategy:create', today(app))
        const { row, webhook } = await duplicate(app, tx, actor, input)
        const webhooks = await presentWebhooks(app, tx.db, [webhook])
        return { ...(await present(tx.db, actor, row)), webhooks }
      },
    }),
    handle(app, updateStrategy, {
      anew,
      async prepare({ input: { id, ...changes }, actor }) {
        if (!mayEdit(actor)) return null
        const row = await visibleStrategies(app.db, actor)
          .where('strategies.id', '=', id)
          .selectAll('strategies')
          .executeTakeFirst()
        return row ? store.foldAhead(app, row, changes, actor.uid) : null
      },
      async run({ input: { id, ...changes }, actor, tx, prepared }) {
        const row = await holdStrategy(app, tx.db, actor, id, 'strategy:edit')
        return present(tx.db, actor, await store.updateStrategy(app, tx, row, changes, prepared))
      },
    }),
    handle(app, deleteStrategy, async ({ input, actor, tx }) => {
      const row = await holdStrategy(app, tx.db, actor, input.id, 'strategy:delete')
      if (input.name.normalize('NFC') !== row.name.normalize('NFC')) {
        throw invalid({ name: `名稱不符，請輸入「${row.name}」` })
      }
      await store.deleteStrategy(app, tx, row, input.keep_records)
      return null
    }),
    handle(app, updateStrategyNotify, async ({ input, actor, tx }) => {
      return writeNotify(tx, actor, await findStrategy(tx.db, actor, input.id), input)
    }),
    ...imageRoutes(app),
    ...originalDataRoutes(app),
    handle(app, settleExpiry, ({ input, actor, tx }) => settle(app, tx, actor, input)),
    handle(app, answerGap, ({ input, actor, tx }) => answerTo(app, tx, actor, input)),
    handle(app, getStatistics, async ({ input, actor, tx }) => {
      const row = await seeStrategy(app, tx.db, actor, input.id)
      return readStatistics(app, tx.db, actor, row, input)
    }),
    handle(app, getStockStatistics, async ({ input, actor, tx }) => {
      const row = await seeStrategy(app, tx.db, actor, input.id)
      return readStockStatistics(app, tx.db, actor, row, input)
    }),
    handle(app, listStockSettings, ({ input, actor, tx }) =>
      settings.readStockSettings(app, tx.db, actor, input.id),
    ),
    handle(app, createStockSetting, ({ input, actor, tx }) =>
      settings.insertStockSetting(app, tx, actor, input),
    ),
    handle(app, orderStockSettings, ({ input, actor, tx }) =>
      settings.orderStockSettingRows(app, tx, actor, input),
    ),
    handle(app, updateStockSetting, ({ input, actor, tx }) =>
      settings.updateStockSettingRow(app, tx, actor, input),
    ),
    handle(app, deleteStockSetting, ({ input, actor, tx }) =>
      settings.deleteStockSettingRow(app, tx, actor, input),
    ),
    handle(app, tryStockSettings, ({ input, actor, tx }) => settings.tryRules(app, tx.db, actor, input)),
  ]
}
