// Publishes what is due by the time that is believed, each exactly once in however many processes, and tells everybody of the platform's.
import type { Scope } from '#contract/events.ts'
import type { App, Tx } from '../context.ts'
import { held } from '../db/query.ts'
import { appendNumbered, inTransaction, nextSeqs } from '../events/append.ts'
import { eachAlone, type Job } from '../jobs/jobs.ts'
import { deleteAnnouncementRow, takeCommands, tellPublished } from './store.ts'

/** How often commands are looked for: each server in its own folder. */
const COMMANDS_MS = 5_000
/** While the clock is doubted. */
const DOUBTED_MS = 5_000
/** People told in one transaction: nobody else writes meanwhile. */
const AT_ONCE = 200

type Parts = Pick<App, 'db' | 'engine' | 'now' | 'events' | 'log' | 'config'>

/**
 * Publishes what is due. A clock that jumped ahead publishes nothing: who was told cannot be untold. Gives when the next is due, if
 * that is known.
 */
export async function publishBelieved(
  app: Parts & Pick<App, 'trusted_clock'>,
  job: Pick<Job, 'over'>,
): Promise<string | undefined> {
  const believed = await app.trusted_clock.lately()
  await publishDue({ ...app, now: () => believed }, job)
  const next = await app.db
    .selectFrom('announcements')
    .select(({ fn }) => fn.min('publish_at').as('at'))
    .where('published_at', 'is', null)
    .where('owes', 'is', null)
    .executeTakeFirst()
  if (next?.at == null) return undefined
  const doubted = new Date(app.now() + DOUBTED_MS).toISOString()
  return next.at > new Date(app.now()).toISOString() ? next.at : doubted
}

/** Takes in what commands left for this server, until the returned function is called (it waits for a running round). */
export function startTakingCommands(app: Parts & Pick<App, 'jobs'>): () => Promise<void> {
  let running: Promise<void> | null = null
  const round = () => {
    running ??= takeCommands(app)
      .then(
        (taken) => {
          if (taken > 0) app.jobs.wake('publish')
        },
        (error: unknown) => app.log.error({ err: error }, 'announcements: commands'),
      )
      .finally(() => {
        running = null
      })
  }
  round()
  const timer = setInterval(round, COMMANDS_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

/** Publishes everything that is due now and tells everybody; gives how many were published. */
export async function publishDue(app: Parts, job: Pick<Job, 'over'> = { over: false }): Promise<number> {
  const now = new Date(app.now()).toISOString()
  const due = await app.db
    .selectFrom('announcements')
    .select('id')
    .where('published_at', 'is', null)
    .where('owes', 'is', null)
    .where('publish_at', '<=', now)
    .orderBy('publish_at')
    .orderBy('id')
    .execute()
  let published = 0
  const publishing = eachAlone(due, async ({ id }) => {
    if (await inTransaction(app, (tx) => publish(tx, id))) published++
  })
  // Whatever became of those: others wait to be told.
  await publishing.catch(() => undefined)
  const owing = await app.db.selectFrom('announcements').select('id').where('owes', 'is not', null).execute()
  await eachAlone(owing, async ({ id }) => {
    while (!job.over && (await inTransaction(app, (tx) => tellSome(app, tx, id))));
  })
  await publishing
  return published
}

/** Claimed by the update: another process finds nothing left to publish. */
async function publish(tx: Tx, id: string): Promise<boolean> {
  const row = await tx.db
    .updateTable('announcements')
    .set((eb) => ({
      published_at: tx.at,
      owes: eb
        .case()
        .when('organization_id', 'is', null)
        .then('published' as const)
        .else(null)
        .end(),
      told_to: '',
    }))
    .where('id', '=', id)
    .where('published_at', 'is', null)
    .where('owes', 'is', null)
    .where('publish_at', '<=', tx.at)
    .returning('organization_id')
    .executeTakeFirst()
  if (row?.organization_id) await tellPublished(tx, id, row.organization_id)
  return row !== undefined
}

/** Tells some more people of one of the platform's; false when there is nobody left. */
async function tellSome(app: Pick<App, 'engine'>, tx: Tx, id: string): Promise<boolean> {
  const query = tx.db
    .selectFrom('announcements')
    .selectAll()
    .where('id', '=', id)
    .where('owes', 'is not', null)
  const row = await held(app, query).executeTakeFirst()
  if (!row?.owes) return false
  const people = await tx.db
    .selectFrom('users')
    .select('id')
    .where('deleted_at', 'is', null)
    .where('id', '>', row.told_to)
    .orderBy('id')
    .limit(AT_ONCE)
    .execute()
  const scopes = people.map((one): Scope => `p:${one.id}`)
  const change = row.owes
  if (scopes.length > 0) {
    const seqs = await nextSeqs(tx.db, new Map(scopes.map((scope) => [scope, 1])))
    await appendNumbered(
      tx,
      scopes.map((scope) => ({
        ...{ seq: seqs.get(scope) as number, scope, at: tx.at, kind: 'announcement' },
        data: { id, change },
      })),
    )
  }
  if (people.length === AT_ONCE) {
    const told_to = people.at(-1)?.id ?? ''
    await tx.db.updateTable('announcements').set({ told_to }).where('id', '=', id).execute()
    return true
  }
  if (change === 'deleted') await deleteAnnouncementRow(tx, row)
  else
    await tx.db.updateTable('announcements').set({ owes: null, told_to: '' }).where('id', '=', id).execute()
  return false
}
