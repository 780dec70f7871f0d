// The inbox row says itself what its own delivery said: no second row for what is shown in the app. Fewer indexes, each with its reader.
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(db)
  // When the app showed it, and when it was opened there.
  await run('alter table notifications add column shown_at text')
  await run('alter table notifications add column opened_at text')
  for (const column of ['shown_at', 'opened_at'])
    await run(`update notifications set ${column} = (select min(d.${column}) from notification_deliveries as d
        where d.notification_id = notifications.id and d.channel = 'in_app')
      where id in (select notification_id from notification_deliveries where channel = 'in_app' and ${column} is not null)`)
  await run("delete from notification_deliveries where channel = 'in_app'")
  for (const index of ['signal', 'strategy', 'announcement', 'organization'])
    await run(`drop index notifications_${index}`)
  // Read by erasing a strategy, and by a record's timeline, receipts and latency, which know the strategy, too.
  await run(
    'create index notifications_about on notifications (strategy_id, signal_id) where strategy_id is not null',
  )
  // Read by who takes an announcement back.
  await run(
    'create index notifications_announcement on notifications (announcement_id) where announcement_id is not null',
  )
  // Who sends is found among what is due soon (queue.ts).
  await run('drop index notification_deliveries_held')
  await run('drop index notification_deliveries_to')
  // Read by the pace of a receiver, by what went in one message, and by what waits for more.
  await run('create index notification_deliveries_to on notification_deliveries (receiver_id, sent_at)')
}
