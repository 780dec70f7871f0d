// Forgets what has had its time: old events, answers kept for repeated calls, deliveries, notifications, ended sessions, stale codes and links,
// accounts that were given up, files of nobody, written mails.

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  DELIVERY_KEPT_DAYS,
  EVENTS_KEPT_DAYS,
  IDEMPOTENCY_DAYS,
  NOTIFICATION_KEPT_DAYS,
} from '#contract/limits.ts'
import { onTrustedTime } from './clock.ts'
import type { App } from './context.ts'
import type { TableName } from './db/schema.ts'
import { sweepFiles, sweepNoteImages, sweepStorage } from './file/sweep.ts'
import type { Job } from './jobs/jobs.ts'
import { tidyBackoffs } from './limits/backoff.ts'
import { tidyGuesses } from './limits/guesses.ts'
import { sweepMails } from './mail/sweep.ts'
import { endExpired } from './membership/store.ts'
import { tidyUsage } from './notify/channels/line.ts'
import { forgetErased } from './profile/leave.ts'
import { forgetDeliveries } from './usage/messages.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** The list of sessions shows nothing ended; this is for looking back after a theft. */
const SESSION_KEPT_DAYS = 30
/** Rows per statement: a large clean-up must not hold up the signals. */
const AT_ONCE = 2_000
/** Of what takes others along. */
const WITH_OTHERS = 500

/** Asked after each statement: lets signals pass, and says whether to go on. */
type GoOn = () => Promise<boolean>

/**
 * Deletes once by the time of `app`; gives how many rows went, per table. All that is deleted by its age alone is deleted from here,
 * some rows a statement.
 */
export async function tidy(
  app: Pick<App, 'db' | 'now'>,
  goOn: GoOn = async () => true,
): Promise<Record<string, number>> {
  const before = (days: number) => new Date(app.now() - days * DAY_MS).toISOString()
  const { db } = app
  const some = async (
    table: TableName,
    key: readonly [string, ...string[]],
    where: RawBuilder<SqlBool>,
    at_once = AT_ONCE,
  ) => {
    const names = sql.join(key.map((name) => sql.ref(name)))
    const which = key.length === 1 ? names : sql`(${names})`
    const over = sql`select ${names} from ${sql.table(table)} where ${where} limit ${at_once}`
    for (let gone = 0; ; ) {
      const { numAffectedRows = 0n } =
        await sql`delete from ${sql.table(table)} where ${which} in (${over})`.execute(db)
      gone += Number(numAffectedRows)
      if (numAffectedRows < at_once || !(await goOn())) return gone
    }
  }
  return {
    events: await some('events', ['scope', 'seq'], sql`at < ${before(EVENTS_KEPT_DAYS)}`),
    idempotency: await some('idempotency', ['uid', 'key'], sql`created_at < ${before(IDEMPOTENCY_DAYS)}`),
    // No limit of a rule asks further back than a day.
    stock_rule_passes: await some('stock_rule_passes', ['rule_id', 'signal_id'], sql`at < ${before(2)}`),
    deliveries: await forgetDeliveries(db, before(DELIVERY_KEPT_DAYS), AT_ONCE, goOn),
    // Whose messages are all gone: nobody can say any more what they were; and what was confirmed as a word of another one.
    webhook_formats: await some(
      'webhook_formats',
      ['id'],
      sql`created_at < ${before(DELIVERY_KEPT_DAYS)} and (state = 'merged' or state = 'waiting'
        and not exists (select 1 from deliveries as d
          where d.webhook_id = webhook_formats.webhook_id and d.id = webhook_formats.sample_delivery_id)
        and not exists (select 1 from messages as d where d.outcome = 'held'
          and d.webhook_id = webhook_formats.webhook_id and d.format_id = webhook_formats.id))`,
    ),
    sessions: await some(
      'sessions',
      ['id'],
      sql`(ended_at < ${before(SESSION_KEPT_DAYS)} or expires_at < ${before(SESSION_KEPT_DAYS)})`,
    ),
    // Who is signed in no more is told nothing on that device.
    devices: await some(
      'channel_receivers',
      ['id'],
      sql`sid is not null and sid not in (select id from sessions where ended_at is null and expires_at > ${before(0)})`,
    ),
    // A code that comes again within the day still ends what was issued for it.
    oidc_rows: await some('oidc_rows', ['model', 'id_hash'], sql`expires_at < ${before(1)}`),
    tickets: await some('tickets', ['id_hash'], sql`expires_at < ${before(SESSION_KEPT_DAYS)}`),
    password_resets: await some('password_resets', ['token_hash'], sql`expires_at < ${before(1)}`),
    codes: await some('codes', ['id'], sql`expires_at < ${before(1)}`),
    // Their deliveries go with them.
    notifications: await some(
      'notifications',
      ['id'],
      sql`created_at < ${before(NOTIFICATION_KEPT_DAYS)}`,
      WITH_OTHERS,
    ),
    binding_codes: await some('binding_codes', ['code_hash'], sql`expires_at < ${before(1)}`),
    receiver_rests: await tidyBackoffs(app),
    guesses: await tidyGuesses(app),
    channel_usage: await tidyUsage(app),
  }
}

/**
 * What the database forgets, once whatever the processes, by the believed time; and ends that were not told: a time that is believed
 * again need not wait for the next midnight.
 */
export async function keepHouse(
  app: Pick<App, 'db' | 'now' | 'log' | 'config' | 'events' | 'trusted_clock'>,
  job: Pick<Job, 'over' | 'pause'>,
): Promise<void> {
  const then = await onTrustedTime(app)
  const gone = await tidy(then, async () => {
    await job.pause()
    return !job.over
  })
  await forgetErased(then)
  const more = {
    memberships_ended: await endExpired(then),
    note_images: await sweepNoteImages(then),
    files: await sweepStorage(then),
  }
  app.log.debug({ ...gone, ...more }, 'housekeeping')
}

/**
 * What each server has by itself, now and every hour, until the returned function is called (it waits for a running round): who wrote
 * here since, files and mails in its folder.
 */
export function startTidyingOwn(
  app: Pick<App, 'db' | 'now' | 'log' | 'config' | 'trusted_clock' | 'room'>,
): () => Promise<void> {
  let round: Promise<void> = Promise.resolve()
  const tidyOwn = async () => {
    const then = await onTrustedTime(app)
    await app.room.lookAtAll()
    return { files: await sweepFiles(then), mails: await sweepMails(then) }
  }
  const start = () => {
    round = tidyOwn().then(
      (gone) => app.log.debug(gone, 'own housekeeping'),
      (error: unknown) => app.log.error({ err: error }, 'own housekeeping'),
    )
  }
  start()
  const timer = setInterval(start, HOUR_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    return round
  }
}
