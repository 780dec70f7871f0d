// What it is to those who may edit a strategy that its source has fallen silent: one alarm for each silence, as long as it lasts.
import type { EventData, Scope } from '#contract/events.ts'
import { dayWords, taipei } from '#trading/calendar.ts'
import { isNoCount, missingWords, type Sequence } from '#trading/sequence.ts'
import type { Db, NotificationRow } from '../db/schema.ts'
import { heardOf, isSilent } from '../record/silence.ts'
import { editorsOf } from './audience.ts'
import type { News } from './enqueue.ts'

/** Nothing where a message came before it could be told. */
export async function newsOfSilence(
  db: Db,
  scope: Scope,
  { strategy_id, since, heard_at, minutes, missing }: EventData['silence'],
  day: string,
): Promise<News[]> {
  if (missing) return newsOfMissing(db, scope, missing.webhook_id, since, day)
  const row =
    since === null
      ? undefined
      : await db
          .selectFrom('strategies')
          .select(['id', 'name', 'watched_from', 'silent_since'])
          .where('id', '=', strategy_id)
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
  if (!row || since === null || row.silent_since !== since) return []
  if (!isSilent(row, await heardOf(db, [row.id]))) return []
  const said = minutes === undefined ? '太久' : `已經 ${spanWords(minutes)}`
  const last = heard_at === undefined ? '' : `最後一則 ${clockWords(heard_at)}，`
  return (await editorsOf(db, scope, day)).map((uid) => ({
    ...{ uid, key: silenceKey(row.id, since), bell: null, signal_id: null, silent: false },
    matter: { kind: 'alarm', moves: null, strategy_id: row.id },
    organization_id: scope.startsWith('o:') ? scope.slice(2) : null,
    title: `${row.name} · 太久沒收到訊號`,
    body: `交易時段裡${said}沒有訊息進來\n${last}請確認來源平台的快訊還在執行`,
    link: `/strategies/${row.id}?org=${scope.startsWith('o:') ? scope.slice(2) : 'personal'}`,
  }))
}

/** Numbers that the sender gave and that never came; nothing where they came before it could be told. */
async function newsOfMissing(
  db: Db,
  scope: Scope,
  webhook_id: string,
  since: string | null,
  day: string,
): Promise<News[]> {
  const row = await db
    .selectFrom('webhooks')
    .innerJoin('strategies', 'strategies.id', 'webhooks.strategy_id')
    .select(['strategies.id', 'strategies.name', 'webhooks.name as webhook', 'webhooks.sequence'])
    .where('webhooks.id', '=', webhook_id)
    .where('webhooks.deleted_at', 'is', null)
    .where('strategies.deleted_at', 'is', null)
    .executeTakeFirst()
  const sequence = row?.sequence == null ? null : (JSON.parse(row.sequence) as Sequence)
  if (!row || since === null || sequence?.since !== since) return []
  const numbers = missingWords(sequence.missing)
  const said = isNoCount(sequence)
    ? {
        title: `${row.name} · 序號不是一則加一`,
        body: `「${row.webhook}」的序號大多不連續，看不出少了哪一則，之後不再提醒缺號\n若它是時間或價格，請在訊息格式裡換一個欄位或拿掉；若真的漏收很多，請檢查來源平台`,
      }
    : {
        title: `${row.name} · 少了第 ${numbers} 則`,
        body: `「${row.webhook}」的序號跳過了 ${numbers}，可能漏收訊號\n請在來源平台確認，或手動補登`,
      }
  return (await editorsOf(db, scope, day)).map((uid) => ({
    ...{ uid, key: missingKey(webhook_id, since), bell: null, signal_id: null, silent: false },
    matter: { kind: 'alarm', moves: null, strategy_id: row.id },
    organization_id: scope.startsWith('o:') ? scope.slice(2) : null,
    ...said,
    link: `/strategies/${row.id}?tab=settings&org=${scope.startsWith('o:') ? scope.slice(2) : 'personal'}`,
  }))
}

type Told = Pick<NotificationRow, 'kind' | 'key' | 'strategy_id'>
const OF_SILENCE = 'silence '
const OF_MISSING = 'missing '

function missingKey(webhook_id: string, since: string): string {
  return `${OF_MISSING}${webhook_id} ${since}`
}

/** Keys of alarms on numbers that are missing still. */
async function missingOf(db: Db, notifications: readonly Told[]): Promise<Set<string>> {
  const ids = notifications.flatMap(({ key }) => key.split(' ')[1] ?? [])
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('webhooks')
    .select(['id', 'sequence'])
    .where('id', 'in', [...new Set(ids)])
    .where('deleted_at', 'is', null)
    .execute()
  return new Set(
    rows.flatMap(({ id, sequence }) => {
      const since = sequence === null ? null : (JSON.parse(sequence) as Sequence).since
      return since === null ? [] : missingKey(id, since)
    }),
  )
}

function silenceKey(strategy_id: string, since: string): string {
  return `${OF_SILENCE}${strategy_id} ${since}`
}

/** Whether what a notification tells of has ended: a message came, or nobody watches any more; or the missing numbers came. */
export async function brokenOf(db: Db, notifications: readonly Told[]): Promise<(one: Told) => boolean> {
  const about = ({ kind, key }: Told) => kind === 'alarm' && key.startsWith(OF_SILENCE)
  const numbered = ({ kind, key }: Told) => kind === 'alarm' && key.startsWith(OF_MISSING)
  const missing = await missingOf(db, notifications.filter(numbered))
  const came = (one: Told) => numbered(one) && !missing.has(one.key)
  const ids = [...new Set(notifications.filter(about).flatMap(({ strategy_id }) => strategy_id ?? []))]
  if (ids.length === 0) return came
  const rows = await db
    .selectFrom('strategies')
    .select(['id', 'watched_from', 'silent_since'])
    .where('id', 'in', ids)
    .execute()
  const heard = await heardOf(db, ids)
  const standing = new Set(
    rows.flatMap((row) => (isSilent(row, heard) ? silenceKey(row.id, row.silent_since ?? '') : [])),
  )
  return (one) => came(one) || (about(one) && !standing.has(one.key))
}

/** `45 分鐘`, `3 小時`, `3 小時 5 分鐘`. */
function spanWords(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return `${rest} 分鐘`
  return rest === 0 ? `${hours} 小時` : `${hours} 小時 ${rest} 分鐘`
}

function clockWords(instant: string): string {
  const { date, time } = taipei(instant)
  return `${dayWords(date).slice(5)} ${time.slice(0, 5)}`
}
