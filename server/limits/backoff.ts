// Until when a receiver, or a whole channel, is left alone: kept in the database, so that it holds for every process and after a
// start (docs/decisions/notifications.md). Who never fails has no row.
import type { ChannelId } from '#contract/channels.ts'
import type { App } from '../context.ts'
import { bulk, type Work } from '../db/bulk.ts'
import type { Db, ReceiverRestRow } from '../db/schema.ts'

/** A receiver that fails is left alone longer each time, up to this. */
const MOST_MS = 60_000
/** Forgotten when it has not failed again for so long. */
const FORGET_MS = 600_000
/** Nobody may make us wait longer for one receiver. */
const ASKED_MOST_MS = 3_600_000
/** In place of a receiver: all of the channel. */
export const WHOLE_CHANNEL = ''

/** What is known of a receiver that failed, or was asked to be left alone. */
export type Backoff = Pick<ReceiverRestRow, 'asked_until' | 'failed' | 'rests_until' | 'noted_at'>

/** What a try makes of it: it failed after so many others, the other side named a time, or it is well again. */
export type BackoffNote =
  | { readonly kind: 'failed'; readonly before: number; readonly asked_ms: number }
  | { readonly kind: 'asked'; readonly asked_ms: number }
  | { readonly kind: 'well' }

const COLUMNS = {
  ...({ channel: 'text', receiver_id: 'text', asked_until: 'text' } as const),
  ...({ failed: 'integer', rests_until: 'text', noted_at: 'text' } as const),
}
const NAMES = Object.keys(COLUMNS).join(', ')
const KEEP = bulk(
  COLUMNS,
  (source) => `insert into receiver_rests (${NAMES}) select ${NAMES} from ${source} as v where true
    on conflict (channel, receiver_id) do update set failed = excluded.failed, rests_until = excluded.rests_until,
    noted_at = excluded.noted_at, asked_until = coalesce(excluded.asked_until, receiver_rests.asked_until)`,
)
const FORGET = bulk(
  { channel: 'text', receiver_id: 'text' } as const,
  (source) => `delete from receiver_rests where (channel, receiver_id) in
    (select channel, receiver_id from ${source} as v)`,
)

/** How often it has failed in a row by now; what is long ago counts no more. */
export function failedOf(backoff: Backoff | null, now_ms: number): number {
  return backoff && Date.parse(backoff.noted_at) > now_ms - FORGET_MS ? backoff.failed : 0
}

/** From when it may be written to, in milliseconds since 1970; 0 = nothing is in the way. */
export function freeFrom(backoff: Pick<Backoff, 'asked_until' | 'rests_until'> | null): number {
  const until = [backoff?.asked_until, backoff?.rests_until].map((at) => (at ? Date.parse(at) : 0))
  return Math.max(...until)
}

/** The statements that note these, each receiver in one of them; the last note of a receiver stands. */
export function backoffWork(
  notes: Iterable<readonly [channel: ChannelId, receiver_id: string, note: BackoffNote]>,
  now_ms: number,
  first_ms: number,
): Work[] {
  const last = new Map<string, readonly [ChannelId, string, BackoffNote]>()
  for (const note of notes) last.set(`${note[0]} ${note[1]}`, note)
  const iso = (ms: number) => (ms > now_ms ? new Date(ms).toISOString() : null)
  const [keep, forget]: [Record<string, string | number | null>[], Record<string, string>[]] = [[], []]
  for (const [channel, receiver_id, note] of last.values()) {
    if (note.kind === 'well') {
      forget.push({ channel, receiver_id })
      continue
    }
    const failed = note.kind === 'failed' ? note.before + 1 : 0
    keep.push({
      ...{ channel, receiver_id, failed, noted_at: new Date(now_ms).toISOString() },
      asked_until: iso(now_ms + Math.min(note.asked_ms, ASKED_MOST_MS)),
      rests_until: note.kind === 'failed' ? iso(now_ms + backoffMs(note.before, first_ms)) : null,
    })
  }
  return [
    { bulk: KEEP, rows: keep },
    { bulk: FORGET, rows: forget },
  ].filter(({ rows }) => rows.length > 0) as Work[]
}

/** How long one is left alone that has failed so often before. */
export function backoffMs(before: number, first_ms: number): number {
  return Math.min(first_ms * 2 ** before, MOST_MS)
}

/** Somebody wants it tried now: that it failed is forgotten, in every process; what it asked for counts all the same. */
export async function forgiveReceiver(db: Db, channel: ChannelId, receiver_id: string): Promise<void> {
  await db
    .updateTable('receiver_rests')
    .set({ failed: 0, rests_until: null })
    .where('channel', '=', channel)
    .where('receiver_id', '=', receiver_id)
    .execute()
}

/** Forgets what is over; gives how many. */
export async function tidyBackoffs({ db, now }: Pick<App, 'db' | 'now'>): Promise<number> {
  const at = (ms: number) => new Date(now() - ms).toISOString()
  const { numDeletedRows } = await db
    .deleteFrom('receiver_rests')
    .where('noted_at', '<', at(FORGET_MS))
    .where((eb) => eb.or([eb('asked_until', 'is', null), eb('asked_until', '<', at(0))]))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
