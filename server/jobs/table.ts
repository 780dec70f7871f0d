// Work that is done later, again, or at a time, as rows: written in the transaction that makes it necessary, taken by one process at a
// time, gone when it is done (docs/decisions/jobs.md).
import { sql } from 'kysely'
import type { Db, JobRow } from '../db/schema.ts'
import { newId } from '../ids.ts'

/** Every kind of work, with what it has to know beside its key. What each does: server/job-kinds.ts. */
export interface JobData {
  /** A strategy's records are to be folded again; key: the strategy. Records from `from_seq` on are news that nobody was told yet. */
  refold: { from_seq: number | null }
  /** The figures of an owner's strategies, by which somebody put a list in order, or which an upgrade changed; key: the owner's scope. */
  figures: null
  /** What was deleted for good; key: a strategy, or an organization as its scope. Until it is done nobody sees what is left. */
  erase: null
  /** What was only a person's who gave the account up; key: the person. */
  'erase-account': null
  /** A file of original data on its way into the record, or out of it; key: the file. */
  import: null
  /** A webhook from before there were formats, whose received messages say which it needs; key: the webhook. */
  'learn-formats': null
  /** A mail that the first try did not send, or whose process is gone; key: one of its own. */
  mail: { sealed: string }
  /** Announcements whose time has come, and people who are still to be told; there is one. */
  publish: null
  /** Memberships whose last day is over. */
  'end-memberships': null
  /** What ends soon; the days of which everybody was reminded last. */
  remind: { ends: string; sessions: string } | null
  /** Sources that fall silent, or speak again. */
  silence: null
  /** Pushes that nothing confirmed, formats to be asked about, deliveries that a clock put off too far. */
  deliveries: null
  /** What has had its time. */
  housekeeping: null
}
export type JobKind = keyof JobData

export interface NewJob<K extends JobKind> {
  readonly kind: K
  readonly key: string
  readonly owner: string
  readonly data: JobData[K]
  /** ISO instant; at once when absent. */
  readonly due_at?: string
}

/** No clock is ahead by so much: a lease until then was written by one that was. */
const AHEAD_MS = 3_600_000

/** How long a job rests that failed for the first time; twice as long each time after. */
const REST_MS = 1_000
export const REST_MOST_MS = 5 * 60_000

/** How long what failed so often rests, `most_ms` at most. */
export const restAfter = (attempts: number, most_ms = REST_MOST_MS) =>
  Math.min(REST_MOST_MS, most_ms, REST_MS * 2 ** Math.min(attempts - 1, 20))
export const iso = (ms: number) => new Date(ms).toISOString()

/**
 * Writes that this is to be done. Where the same waits already it is done when the sooner of both is due; what it knows beside its
 * key stays, but for `data` given with `replace`. What failed keeps its rest. `Jobs.wake` after the commit begins it without a look.
 */
export async function enqueue<K extends JobKind>(
  db: Db,
  { kind, key, owner, data, due_at = '' }: NewJob<K>,
  replace: 'replace' | 'keep' = 'keep',
): Promise<void> {
  await db
    .insertInto('jobs')
    .values({
      ...{ id: newId(), kind, key, owner, data: JSON.stringify(data), due_at },
      ...{ attempts: 0, asked: 1, lease: null, lease_until: null, last_error: null },
    })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'key']).doUpdateSet((eb) => ({
        asked: eb('jobs.asked', '+', 1),
        due_at: eb
          .case()
          .when(eb.and([eb('jobs.attempts', '=', 0), eb('jobs.due_at', '>', due_at)]))
          .then(due_at)
          .else(eb.ref('jobs.due_at'))
          .end(),
        ...(replace === 'replace' && { data: JSON.stringify(data) }),
      })),
    )
    .execute()
}

/** What waits of a kind under this key. */
export async function waitingJob<K extends JobKind>(
  db: Db,
  kind: K,
  key: string,
): Promise<JobData[K] | undefined> {
  const row = await db
    .selectFrom('jobs')
    .select('data')
    .where('kind', '=', kind)
    .where('key', '=', key)
    .executeTakeFirst()
  return row && (JSON.parse(row.data) as JobData[K])
}

/** Nobody is doing it. */
const free = (now_ms: number) =>
  sql<boolean>`(lease is null or lease_until <= ${iso(now_ms)} or lease_until > ${iso(now_ms + AHEAD_MS)})`

/** Which of these kinds have something that is due and that nobody does. */
export async function dueKinds(db: Db, kinds: readonly JobKind[], now_ms: number): Promise<JobKind[]> {
  if (kinds.length === 0) return []
  const each = kinds.map(
    (kind) => sql`select ${sql.lit(kind)} as kind where exists (
      select 1 from jobs where kind = ${sql.lit(kind)} and due_at <= ${iso(now_ms)} and ${free(now_ms)})`,
  )
  const { rows } = await sql<{ kind: JobKind }>`${sql.join(each, sql` union all `)}`.execute(db)
  return rows.map(({ kind }) => kind)
}

/**
 * Takes the next of a kind, of the first owner behind `after` in the order of their ids, then from the beginning: so owners take
 * turns, in however many processes. null = nothing is due.
 */
export async function takeJob(
  db: Db,
  kind: JobKind,
  after: string,
  lease: {
    readonly token: string
    readonly now_ms: number
    readonly ms: number
    /** It rests for no longer than this, however often it failed. */
    readonly rest_most_ms: number | undefined
  },
): Promise<JobRow | null> {
  const { token, now_ms, ms, rest_most_ms } = lease
  const due = (side: '>' | '<=') =>
    db
      .selectFrom('jobs')
      .select(['id', 'attempts'])
      .where('kind', '=', kind)
      .where('owner', side, after)
      .where('due_at', '<=', iso(now_ms))
      .where(free(now_ms))
      .orderBy('owner')
      .orderBy('due_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
  for (;;) {
    const next = (await due('>')) ?? (await due('<='))
    if (!next) return null
    // Of what ends its process each time, too.
    const due_at = iso(now_ms + restAfter(next.attempts + 1, rest_most_ms))
    const row = await db
      .updateTable('jobs')
      .set({ lease: token, lease_until: iso(now_ms + ms), attempts: next.attempts + 1, due_at })
      .where('id', '=', next.id)
      .where('due_at', '<=', iso(now_ms))
      .where(free(now_ms))
      .returningAll()
      .executeTakeFirst()
    // Else another process was quicker.
    if (row) return row
  }
}
