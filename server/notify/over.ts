// What a notification is about as it stands now, and whether that is over: voided before anybody was told, put right before the alarm.
import type { SignalRecord } from '#contract/signal.ts'
import { isPointer } from '#trading/fold/sequence.ts'
import type { OpenGap } from '#trading/fold/tally.ts'
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

/** Nobody is asked about the position that this record reported: answered, or one that fits came after it. */
export type IsSettled = (signal_id: string) => boolean

const ASKS_FOR_PRICE = 'pending '
const DOUBTS_PRICE = 'suspect '
const ASKS_FOR_POSITION = 'gap '

/** Why there is nothing to tell any more, null when there is. A robot gets every record, in order. */
export function overBy(
  { kind, key }: Pick<NotificationRow, 'kind' | 'key'>,
  row: NotificationDeliveryRow,
  record: SignalRecord | null,
  { untold, settled }: { readonly untold: Untold; readonly settled: IsSettled },
): string | null {
  if (record === null || row.channel === 'webhook') return null
  const { status } = record.derived
  if (status === 'voided') return '這筆訊號已經作廢'
  if (kind === 'alarm' && key.startsWith(ASKS_FOR_PRICE) && status !== 'pending_price')
    return '訊號價已經補上'
  if (kind === 'alarm' && key.startsWith(DOUBTS_PRICE) && status !== 'price_suspect') return '價格已經確定'
  if (kind === 'alarm' && key.startsWith(ASKS_FOR_POSITION))
    if (!record.flags.includes('position_gap') || settled(record.id))
      // Filled in, or led there: then the report fits.
      return '部位不一致已經處理'
  if (record.source === 'void' && record.refers_to !== null && untold(row, record.refers_to))
    return '作廢的那一筆沒有送出過'
  return null
}

/** Which of the positions that these notifications ask about are settled. */
export async function settledOf(
  db: Db,
  notifications: readonly Pick<NotificationRow, 'kind' | 'key' | 'signal_id' | 'strategy_id'>[],
  signals: ReadonlyMap<string, { readonly record: SignalRecord }>,
): Promise<IsSettled> {
  const asked = notifications.filter(({ kind, key }) => kind === 'alarm' && key.startsWith(ASKS_FOR_POSITION))
  const ids = asked.flatMap(({ signal_id }) => signal_id ?? [])
  if (ids.length === 0) return () => false
  const answers = await db
    .selectFrom('gap_answers')
    .select('signal_id')
    .distinct()
    .where('strategy_id', 'in', [...new Set(asked.flatMap(({ strategy_id }) => strategy_id ?? []))])
    .where('signal_id', 'in', ids)
    .execute()
  const folds = await db
    .selectFrom('strategy_folds')
    .select(['strategy_id', 'chain_seq', 'position_gaps'])
    .where('strategy_id', 'in', [...new Set(asked.flatMap(({ strategy_id }) => strategy_id ?? []))])
    .execute()
  const settled = new Set(answers.map(({ signal_id }) => signal_id))
  const fold_of = new Map(folds.map((fold) => [fold.strategy_id, fold]))
  for (const id of ids) {
    const record = signals.get(id)?.record
    const fold = record && fold_of.get(record.strategy_id)
    // One that came out of order is asked about by its alarm alone; a fold that has not seen it says nothing of it.
    if (!fold || record.flags.includes('out_of_order') || fold.chain_seq < record.chain_seq) continue
    if (!(JSON.parse(fold.position_gaps) as OpenGap[]).some((gap) => gap.id === id)) settled.add(id)
  }
  return (id) => settled.has(id)
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
