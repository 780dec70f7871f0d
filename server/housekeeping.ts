// Forgets what has had its time: old events, answers kept for repeated calls, deliveries, notifications, ended sessions, stale codes and links,
// accounts that were given up, files of nobody, written mails.
import {
  DELIVERY_KEPT_DAYS,
  EVENTS_KEPT_DAYS,
  IDEMPOTENCY_DAYS,
  NOTIFICATION_KEPT_DAYS,
} from '#contract/limits.ts'
import { believing } from './believed.ts'
import type { App } from './context.ts'
import { sweepFiles, sweepNoteImages } from './file/sweep.ts'
import { tidyBackoffs } from './limits/backoff.ts'
import { tidyGuesses } from './limits/guesses.ts'
import { sweepMails } from './mail/sweep.ts'
import { endExpired } from './membership/ending.ts'
import { everyDay } from './midnight.ts'
import { tidyUsage } from './notify/channels/line/quota.ts'
import { tidyProcesses } from './notify/queue.ts'
import { forgetErased } from './profile/leave.ts'
import { forgetDeliveries } from './usage/messages.ts'

const DAY_MS = 86_400_000
const EVERY_MS = 3_600_000
/** The list of sessions shows nothing ended; this is for looking back after a theft. */
const SESSION_KEPT_DAYS = 30
/** Rows per statement: a large clean-up must not hold up the signals. */
const AT_ONCE = 2_000

/** Deletes once by the time of `app`; gives how many rows went, per table. All that is deleted by its age alone is deleted from here. */
export async function tidy(app: Pick<App, 'db' | 'now'>): Promise<Record<string, number>> {
  const before = (days: number) => new Date(app.now() - days * DAY_MS).toISOString()
  const { db } = app
  return {
    events: await drain(() =>
      db
        .deleteFrom('events')
        .where((eb) =>
          eb(
            eb.refTuple('scope', 'seq'),
            'in',
            eb
              .selectFrom('events')
              .select(['scope', 'seq'])
              .where('at', '<', before(EVENTS_KEPT_DAYS))
              .limit(AT_ONCE)
              .$asTuple('scope', 'seq'),
          ),
        )
        .executeTakeFirst(),
    ),
    idempotency: await drain(() =>
      db.deleteFrom('idempotency').where('created_at', '<', before(IDEMPOTENCY_DAYS)).executeTakeFirst(),
    ),
    // No limit of a rule asks further back than a day.
    stock_rule_passes: await drain(() =>
      db.deleteFrom('stock_rule_passes').where('at', '<', before(2)).executeTakeFirst(),
    ),
    deliveries: await forgetDeliveries(db, before(DELIVERY_KEPT_DAYS), AT_ONCE),
    // Whose messages are all gone: nobody can say any more what they were; and what was confirmed as a word of another one.
    webhook_formats: await drain(() =>
      db
        .deleteFrom('webhook_formats')
        .where('created_at', '<', before(DELIVERY_KEPT_DAYS))
        .where((eb) =>
          eb.or([
            eb('state', '=', 'merged'),
            eb.and([
              eb('state', '=', 'waiting'),
              eb.not(
                eb.exists(
                  eb
                    .selectFrom('deliveries')
                    .select('deliveries.id')
                    .whereRef('deliveries.id', '=', 'webhook_formats.sample_delivery_id'),
                ),
              ),
              eb.not(
                eb.exists(
                  eb
                    .selectFrom('deliveries')
                    .select('deliveries.id')
                    .where('deliveries.outcome', '=', 'held')
                    .whereRef('deliveries.webhook_id', '=', 'webhook_formats.webhook_id')
                    .whereRef('deliveries.format_id', '=', 'webhook_formats.id'),
                ),
              ),
            ]),
          ]),
        )
        .executeTakeFirst(),
    ),
    sessions: await drain(() =>
      db
        .deleteFrom('sessions')
        .where((eb) =>
          eb.or([
            eb('ended_at', '<', before(SESSION_KEPT_DAYS)),
            eb('expires_at', '<', before(SESSION_KEPT_DAYS)),
          ]),
        )
        .executeTakeFirst(),
    ),
    // Who is signed in no more is told nothing on that device.
    devices: await drain(() =>
      db
        .deleteFrom('channel_receivers')
        .where('sid', 'is not', null)
        .where('sid', 'not in', (eb) =>
          eb
            .selectFrom('sessions')
            .select('id')
            .where('ended_at', 'is', null)
            .where('expires_at', '>', before(0)),
        )
        .executeTakeFirst(),
    ),
    // A code that comes again within the day still ends what was issued for it.
    oidc_rows: await drain(() =>
      db.deleteFrom('oidc_rows').where('expires_at', '<', before(1)).executeTakeFirst(),
    ),
    tickets: await drain(() =>
      db.deleteFrom('tickets').where('expires_at', '<', before(SESSION_KEPT_DAYS)).executeTakeFirst(),
    ),
    password_resets: await drain(() =>
      db.deleteFrom('password_resets').where('expires_at', '<', before(1)).executeTakeFirst(),
    ),
    codes: await drain(() => db.deleteFrom('codes').where('expires_at', '<', before(1)).executeTakeFirst()),
    // Their deliveries go with them.
    notifications: await drain(() =>
      db
        .deleteFrom('notifications')
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('notifications')
            .select('id')
            .where('created_at', '<', before(NOTIFICATION_KEPT_DAYS))
            .limit(AT_ONCE),
        )
        .executeTakeFirst(),
    ),
    binding_codes: await drain(() =>
      db.deleteFrom('binding_codes').where('expires_at', '<', before(1)).executeTakeFirst(),
    ),
    receiver_rests: await tidyBackoffs(app),
    guesses: await tidyGuesses(app),
    notify_processes: await tidyProcesses(app),
    channel_usage: await tidyUsage(app),
  }
}

/**
 * Tidies now and every hour, and tells of ended memberships then and as each day begins, until the returned function is called
 * (it waits for a running round). All of it by the believed time: what was told of a day that never came is told to nobody when it comes.
 */
export function startHousekeeping(
  app: Pick<App, 'db' | 'now' | 'log' | 'config' | 'events' | 'believed' | 'room'>,
): () => Promise<void> {
  let round: Promise<void> = Promise.resolve()
  const start = () => {
    round = believing(app)
      .then(everything)
      .then(
        (gone) => app.log.debug(gone, 'housekeeping'),
        (error: unknown) => app.log.error({ err: error }, 'housekeeping'),
      )
  }
  start()
  const timer = setInterval(start, EVERY_MS)
  timer.unref()
  const stopDays = everyDay(app, 'ended memberships', async () => endExpired(await believing(app)))
  return async () => {
    clearInterval(timer)
    await Promise.all([round, stopDays()])
  }
}

async function everything(
  app: Pick<App, 'db' | 'now' | 'log' | 'config' | 'events' | 'room'>,
): Promise<Record<string, number>> {
  await app.room.lookAtAll()
  await forgetErased(app)
  return {
    ...(await tidy(app)),
    // Also here: a time that is believed again need not wait for the next midnight.
    memberships_ended: await endExpired(app),
    note_images: await sweepNoteImages(app),
    files: await sweepFiles(app),
    mails: await sweepMails(app),
  }
}

async function drain(remove: () => Promise<{ numDeletedRows: bigint }>): Promise<number> {
  let gone = 0
  for (;;) {
    const count = Number((await remove()).numDeletedRows)
    gone += count
    if (count < AT_ONCE) return gone
  }
}
