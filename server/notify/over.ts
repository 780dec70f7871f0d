// What a notification is about as it stands now, and whether that is over: voided before anybody was told, put right before the alarm.
import type { SignalRecord } from '#contract/signal.ts'
import { isPointer } from '#trading/fold/sequence.ts'
import type { Db } from '../db/schema.ts'
import type { NotificationDeliveryRow, NotificationRow } from '../db/schema-notify.ts'
import type { Matter } from './decide.ts'
import { movesOf } from './news.ts'

export function matterOf(
  { kind, strategy_id }: Pick<NotificationRow, 'kind' | 'strategy_id'>,
  record: SignalRecord | null,
): Matter {
  const moves = kind === 'signal' && record !== null && !isPointer(record) ? movesOf(record) : null
  return { kind, moves, strategy_id }
}

/** The original that a void points at never went to the receiver of this delivery, and will not. */
export type Untold = (row: NotificationDeliveryRow, original: string) => boolean

/** Why there is nothing to tell any more, null when there is. A robot gets every record, in order. */
export function overBy(
  { kind, key }: Pick<NotificationRow, 'kind' | 'key'>,
  row: NotificationDeliveryRow,
  record: SignalRecord | null,
  untold: Untold,
): string | null {
  if (record === null || row.channel === 'webhook') return null
  const { status } = record.derived
  if (status === 'voided') return '這筆訊號已經作廢'
  if (kind === 'alarm' && key.startsWith('pending ') && status !== 'pending_price') return '成交價已經補上'
  if (record.source === 'void' && record.refers_to !== null && untold(row, record.refers_to))
    return '作廢的那一筆沒有送出過'
  return null
}

/** Of the voids among these deliveries: to whom their originals never went. One that was tried may have arrived. */
export async function untoldOf(
  db: Db,
  rows: readonly NotificationDeliveryRow[],
  signals: ReadonlyMap<string, { readonly record: SignalRecord }>,
): Promise<Untold> {
  const originals = [...signals.values()].flatMap(({ record: { source, refers_to } }) =>
    source === 'void' && refers_to !== null ? [refers_to] : [],
  )
  if (originals.length === 0) return () => false
  const told = await db
    .selectFrom('notifications as told')
    .innerJoin('notification_deliveries as delivery', 'delivery.notification_id', 'told.id')
    .select(['told.signal_id', 'delivery.id', 'receiver_id', 'attempts', 'state', 'sent_at'])
    .where('told.kind', '=', 'signal')
    .where('told.signal_id', 'in', originals)
    .where('receiver_id', 'in', [...new Set(rows.map((row) => row.receiver_id))])
    .execute()
  const here = new Set(rows.map(({ id }) => id))
  return (row, original) => {
    const own = told.filter(
      ({ receiver_id, signal_id }) => receiver_id === row.receiver_id && signal_id === original,
    )
    // Being held by us it counts as tried once, which it has not been yet.
    return (
      own.length > 0 &&
      own.every(({ id, attempts, sent_at }) => sent_at === null && attempts === (here.has(id) ? 1 : 0))
    )
  }
}
