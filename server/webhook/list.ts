// Webhooks and deliveries read.
import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { listDeliveries, listWebhooks } from '#contract/webhook.ts'
import type { replayDeliveries } from '#contract/webhook-format.ts'
import { visibleStrategies } from '../access/strategies.ts'
import type { Actor } from '../context.ts'
import type { Db, DeliveryRow, WebhookRow } from '../db/schema.ts'

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
  const { total } = await found.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow()
  const rows = await found
    .selectAll()
    .orderBy('id')
    .limit(query.page_size)
    .offset((query.page - 1) * query.page_size)
    .execute()
  return { rows, total: Number(total) }
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
function chosen(db: Db, webhook_id: string, { outcome, reason_code, from, to }: Choice) {
  let found = db.selectFrom('deliveries').where('webhook_id', '=', webhook_id)
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
  let found = chosen(db, webhook_id, query).where('test', '=', 0)
  if (query.delivery_ids) found = found.where('id', 'in', query.delivery_ids)
  const total =
    query.after === undefined
      ? await found.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow()
      : null
  if (query.after !== undefined) found = found.where('id', '>', query.after)
  const rows = await found
    .selectAll()
    .orderBy('id')
    .limit(query.limit + 1)
    .execute()
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
  let found = chosen(db, webhook_id, query).selectAll()
  if (query.before !== undefined) found = found.where('id', '<', query.before)
  const rows = await found
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
    .execute()
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
