// Webhooks written: the token is kept as its hash (to be found) and encrypted (to be shown again), never in plain.

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { ParsedInputOf } from '#contract/endpoint.ts'
import { invalid } from '#contract/errors.ts'
import { WEBHOOKS_PER_STRATEGY } from '#contract/limits.ts'
import type { createWebhook, listDeliveries, listWebhooks, updateWebhook } from '#contract/webhook.ts'
import type { replayDeliveries } from '#contract/webhook-format.ts'
import { type Authorized, visibleStrategies } from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import { pageOf } from '../db/query.ts'
import type { Db, DeliveryRow, StrategyRow, WebhookRow } from '../db/schema.ts'
import { mintToken, newId } from '../ids.ts'
import { watchAnew } from '../record/silence.ts'
import { inOrder } from '../usage/messages.ts'

// Webhooks and deliveries read.

/** One page of the webhooks of this context, of one strategy when given; oldest first. */
export async function listWebhookRows(
  db: Db,
  actor: Actor,
  query: ParsedInputOf<typeof listWebhooks>,
): Promise<{ rows: WebhookRow[]; total: number }> {
  let found = db
    .selectFrom('webhooks')
    .where('deleted_at', 'is', null)
    .where('strategy_id', 'in', visibleStrategies(db, actor).select('strategies.id'))
  if (query.strategy_id !== undefined) found = found.where('strategy_id', '=', query.strategy_id)
  return pageOf(found, found.selectAll().orderBy('id'), query)
}

/** All webhooks of a strategy the caller has found before; oldest first. */
export function webhooksOf(db: Db, strategy_id: string): Promise<WebhookRow[]> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('strategy_id', '=', strategy_id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
}

interface Choice {
  outcome?: string | undefined
  reason_code?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Deliveries of a webhook by what became of them and when they came, as the start of a query. */
function chosen(db: Db, place: 'deliveries', webhook_id: string, { outcome, reason_code, from, to }: Choice) {
  let found = db.selectFrom(place).where('webhook_id', '=', webhook_id)
  // as the counts: a test is neither taken nor refused
  if (outcome !== undefined || reason_code !== undefined) found = found.where('test', '=', 0)
  if (outcome !== undefined) found = found.where('outcome', '=', outcome)
  if (reason_code !== undefined) found = found.where('reason_code', '=', reason_code)
  // a bridge reports every few minutes: unasked that would bury what it brings
  else
    found = found.where((eb) => eb.or([eb('reason_code', 'is', null), eb('reason_code', '<>', 'heartbeat')]))
  if (from !== undefined) found = found.where('received_at', '>=', from)
  if (to !== undefined) found = found.where('received_at', '<', to)
  return found
}

/** One batch of those to be read again, oldest first, tests left out; the cursor is the last row's id. */
export async function deliveriesToReplay(
  db: Db,
  webhook_id: string,
  query: ParsedInputOf<typeof replayDeliveries>,
): Promise<{ rows: DeliveryRow[]; total: number | null; next_after: string | null }> {
  const { delivery_ids, after } = query
  const those = (place: 'deliveries') => {
    const found = chosen(db, place, webhook_id, query).where('test', '=', 0)
    return delivery_ids ? found.where('id', 'in', delivery_ids) : found
  }
  const total =
    after === undefined
      ? await those('deliveries')
          .select((eb) => eb.fn.countAll().as('total'))
          .executeTakeFirstOrThrow()
      : null
  const rows = await inOrder('asc', query.limit + 1, (place) =>
    (after === undefined ? those(place) : those(place).where('id', '>', after))
      .selectAll()
      .orderBy('id')
      .limit(query.limit + 1)
      .execute(),
  )
  const more = rows.length > query.limit
  if (more) rows.pop()
  return {
    rows,
    total: total && Number(total.total),
    next_after: more ? (rows.at(-1)?.id ?? null) : null,
  }
}

/** What a webhook received, newest first; the cursor is the last row's id (ids rise with time). */
export async function deliveriesOf(
  db: Db,
  webhook_id: string,
  query: Omit<ParsedInputOf<typeof listDeliveries>, 'id'>,
): Promise<{ rows: DeliveryRow[]; next_before: string | null }> {
  const { before } = query
  const read = (place: 'deliveries') => {
    const found = chosen(db, place, webhook_id, query).selectAll()
    return (before === undefined ? found : found.where('id', '<', before))
      .orderBy('id', 'desc')
      .limit(query.limit + 1)
      .execute()
  }
  const outcomes = query.outcome === undefined ? undefined : [query.outcome]
  const rows = await inOrder('desc', query.limit + 1, read, outcomes)
  const more = rows.length > query.limit
  if (more) rows.pop()
  return { rows, next_before: more ? (rows.at(-1)?.id ?? null) : null }
}

/** A delivery of this webhook and no other. */
export function findDelivery(db: Db, webhook_id: string, id: string): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('id', '=', id)
    .where('webhook_id', '=', webhook_id)
    .executeTakeFirst()
}

type Draft = ParsedInputOf<typeof createWebhook>
type Changes = Omit<ParsedInputOf<typeof updateWebhook>, 'id'>
export type Grace = 'now' | '1h' | '24h'

const HOUR_MS = 3_600_000
const GRACE_MS: Record<Grace, number> = { now: 0, '1h': HOUR_MS, '24h': 24 * HOUR_MS }

/** 4220 when the strategy, locked by the caller, already has all the webhooks it may have. */
export async function checkRoom(tx: Tx, strategy: Authorized<StrategyRow>): Promise<void> {
  const { count } = await tx.db
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('strategy_id', '=', strategy.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) >= WEBHOOKS_PER_STRATEGY) {
    throw invalid({ strategy_id: `每個策略最多 ${WEBHOOKS_PER_STRATEGY} 個 webhook` })
  }
}

/** Stores a webhook with a fresh token. */
export async function insertWebhook(app: Pick<App, 'keys'>, tx: Tx, draft: Draft): Promise<WebhookRow> {
  const { token, hash } = mintToken()
  const row: WebhookRow = {
    id: newId(),
    strategy_id: draft.strategy_id,
    name: draft.name,
    token_cipher: app.keys.seal(token),
    format: draft.format,
    mapping: draft.mapping && JSON.stringify(draft.mapping),
    enabled: 1,
    secret_hash: null,
    ip_allow: '[]',
    unparsed_rule: null,
    old_url_until: null,
    accepted: 0,
    late: 0,
    duplicate: 0,
    ignored: 0,
    held: 0,
    rejected: 0,
    mismatch: 0,
    refused_bytes: 0,
    signal_bytes: 0,
    kept: 0,
    let_go: '',
    last_accepted_at: null,
    last_rejected_at: null,
    last_duplicate_at: null,
    last_heard_at: null,
    sequence: null,
    formats_rev: 0,
    formats_grace_until: null,
    formats_due: 0,
    formats_used: '[]',
    asked_at: null,
    created_at: tx.at,
    updated_at: tx.at,
    deleted_at: null,
  }
  await tx.db.insertInto('webhooks').values(row).execute()
  await insertToken(tx, row.id, hash)
  return row
}

/** Lays changes over a webhook; a secret is kept as its SHA-256 only, null takes it away. */
export async function updateWebhookRow(
  tx: Tx,
  row: Authorized<WebhookRow>,
  changes: Changes,
): Promise<WebhookRow> {
  const { name, format, mapping, body_secret, ip_allow, unparsed_rule } = changes
  return write(tx, row, {
    ...(name !== undefined && { name }),
    ...(format !== undefined && { format }),
    // Numbers of another field are another count.
    ...(mapping !== undefined && { mapping: mapping && JSON.stringify(mapping), sequence: null }),
    ...(body_secret !== undefined && {
      secret_hash: body_secret && createHash('sha256').update(body_secret).digest('hex'),
    }),
    ...(ip_allow !== undefined && { ip_allow: JSON.stringify(ip_allow) }),
    ...(unparsed_rule !== undefined && { unparsed_rule: unparsed_rule && JSON.stringify(unparsed_rule) }),
  })
}

/** Switches a webhook on or off. */
export async function setEnabled(tx: Tx, row: Authorized<WebhookRow>, enabled: boolean): Promise<WebhookRow> {
  if (enabled !== (row.enabled === 1)) await watchAnew(tx, row.strategy_id)
  return write(tx, row, { enabled: enabled ? 1 : 0 })
}

/** Gives a webhook a new URL. Every older one ends with the grace at the latest: `now` also cuts a grace still running. */
export async function rotate(
  app: Pick<App, 'keys'>,
  tx: Tx,
  row: Authorized<WebhookRow>,
  grace: Grace,
): Promise<WebhookRow> {
  const { token, hash } = mintToken()
  const until = new Date(Date.parse(tx.at) + GRACE_MS[grace]).toISOString()
  await tx.db
    .updateTable('webhook_tokens')
    .set({ valid_until: until })
    .where('webhook_id', '=', row.id)
    .where(sql<boolean>`(valid_until is null or valid_until > ${until})`)
    .execute()
  await insertToken(tx, row.id, hash)
  return write(tx, row, { token_cipher: app.keys.seal(token), old_url_until: grace === 'now' ? null : until })
}

/** Takes a webhook away; its URL answers 410, what it received stays. */
export async function removeWebhook(tx: Tx, row: Authorized<WebhookRow>): Promise<void> {
  await watchAnew(tx, row.strategy_id)
  await write(tx, row, { enabled: 0, deleted_at: tx.at })
}

async function write(tx: Tx, row: Authorized<WebhookRow>, columns: Partial<WebhookRow>): Promise<WebhookRow> {
  return tx.db
    .updateTable('webhooks')
    .set({ ...columns, updated_at: tx.at })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function insertToken(tx: Tx, webhook_id: string, token_hash: string): Promise<void> {
  await tx.db
    .insertInto('webhook_tokens')
    .values({ token_hash, webhook_id, valid_until: null, created_at: tx.at })
    .execute()
}
