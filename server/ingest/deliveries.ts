// Stores the deliveries of a batch, counts them at their webhooks, and tells those who may edit.
import { type Delivery, type Outcome, reasonsAt } from '#contract/webhook.ts'
import { bulkInsert, bulkUpdate, type ColumnType } from '../db/bulk.ts'
import type { DeliveryRow } from '../db/schema.ts'
import { byScope, type UnitOfWork } from '../record/unit-of-work.ts'
import { messageBytes } from '../usage/messages.ts'
import { isMismatch, withNormal } from './request.ts'

type Counted = Outcome

export const MESSAGES = bulkInsert('messages', {
  id: 'text',
  webhook_id: 'text',
  strategy_id: 'text',
  received_at: 'text',
  source_ip: 'text',
  content_type: 'text',
  size: 'integer',
  body: 'text',
  body_encoding: 'text',
  body_sha256: 'text',
  body_cut: 'integer',
  dedupe_key: 'text',
  outcome: 'text',
  http_status: 'integer',
  reason_code: 'text',
  reason: 'text',
  field: 'text',
  duplicate_of: 'text',
  signal_id: 'text',
  format_id: 'text',
  normal: 'text',
  duration_ms: 'double precision',
  test: 'integer',
  replayed_at: 'text',
  ruled_quantity: 'integer',
} satisfies Record<keyof DeliveryRow, ColumnType>)

const more = (column: string, given: string) => `${column} + ${given}`
const newer = (column: string, given: string) => `coalesce(${given}, ${column})`
const COUNTS = bulkUpdate(
  'webhooks',
  {
    webhook_id: 'text',
    accepted: 'integer',
    late: 'integer',
    duplicate: 'integer',
    ignored: 'integer',
    held: 'integer',
    rejected: 'integer',
    mismatch: 'integer',
    refused_bytes: 'bigint',
    signal_bytes: 'bigint',
    kept: 'bigint',
    last_accepted_at: 'text',
    last_rejected_at: 'text',
    last_duplicate_at: 'text',
    last_heard_at: 'text',
  },
  {
    id: 'id',
    key: 'webhook_id',
    how: {
      accepted: more,
      late: more,
      duplicate: more,
      ignored: more,
      held: more,
      rejected: more,
      mismatch: more,
      refused_bytes: more,
      signal_bytes: more,
      kept: more,
      last_accepted_at: newer,
      last_rejected_at: newer,
      last_duplicate_at: newer,
      last_heard_at: newer,
    },
  },
)

/** A delivery, its normal form, and the scope in which it is told. */
interface ToldDelivery {
  row: DeliveryRow
  normal: Delivery['normal']
  scope: string
}

/** Inserts deliveries but those that stand with their record, counts all, and adds the events of what it inserted. */
export async function insertDeliveries(
  uow: UnitOfWork,
  told: readonly ToldDelivery[],
  with_record: ReadonlySet<DeliveryRow>,
): Promise<void> {
  const apart = told.filter(({ row }) => !with_record.has(row))
  await uow.write(
    MESSAGES,
    apart.map(({ row }) => row),
  )
  await count(
    uow,
    told.map(({ row }) => row),
  )
  await tellDeliveries(uow, apart)
}

/** Adds one `delivery` event for each, without its body. */
export async function tellDeliveries(uow: UnitOfWork, told: readonly ToldDelivery[]): Promise<void> {
  for (const [scope, own] of byScope(told, (one) => one.scope)) {
    let seq = await uow.number(scope, own.length)
    for (const { row, normal } of own) {
      uow.add(seq++, scope, 'delivery', toldDelivery(row, normal))
    }
  }
}

/** What is told of a delivery: all but its body. */
export function toldDelivery(row: DeliveryRow, normal: Delivery['normal']): Omit<Delivery, 'body'> {
  const { body: _kept, ...data } = withNormal(row, normal)
  return data
}

const OF_NOBODY = reasonsAt('closed', 'sender')

/** It tells that the source is alive, whatever became of it: its sender was let in (docs/decisions/alarms.md). */
function isHeard({ reason_code }: DeliveryRow): boolean {
  return !OF_NOBODY.has(reason_code)
}

/** Adds the outcomes to the webhooks' counters, one statement for all of them. */
async function count(uow: UnitOfWork, rows: readonly DeliveryRow[]): Promise<void> {
  const counts = [...Map.groupBy(rows, (row) => row.webhook_id)].map(([webhook_id, own]) => {
    // that a bridge is alive is heard, and is no message
    const times = (outcome: Counted) =>
      own.filter((row) => row.outcome === outcome && row.reason_code !== 'heartbeat').length
    const bytes = own.map(messageBytes)
    const last = (...outcomes: string[]) =>
      own.findLast((one) => outcomes.includes(one.outcome))?.received_at ?? null
    return {
      webhook_id,
      accepted: times('accepted'),
      late: times('late'),
      duplicate: times('duplicate'),
      ignored: times('ignored'),
      held: times('held'),
      rejected: times('rejected'),
      mismatch: own.filter(isMismatch).length,
      refused_bytes: bytes.reduce((sum, { refused_bytes }) => sum + refused_bytes, 0),
      signal_bytes: bytes.reduce((sum, { signal_bytes }) => sum + signal_bytes, 0),
      kept: own.length,
      last_accepted_at: last('accepted', 'late'),
      last_rejected_at: last('rejected'),
      last_duplicate_at: last('duplicate'),
      last_heard_at: own.findLast(isHeard)?.received_at ?? null,
    }
  })
  await uow.write(COUNTS, counts)
}
