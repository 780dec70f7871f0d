// A strategy made after another: everything set on it, its rules, and how its messages are read; its own address, no secret, no record.
import { ApiError } from '#contract/errors.ts'
import type { Webhook } from '#contract/webhook.ts'
import { findStrategy } from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import type { StrategyRow, WebhookRow } from '../db/schema.ts'
import { copyFormats } from '../ingest/formats.ts'
import { storedMapping } from '../ingest/payload-mapping.ts'
import { insertWebhook } from '../webhook/store.ts'
import { fieldsOfRow } from './fields.ts'
import { copyRules } from './stock-settings.ts'
import { insertStrategy } from './store.ts'

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
export const FIRST_WEBHOOK = '主要'
