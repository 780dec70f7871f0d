// Every way to these people: bound receivers of the channels that this server has.
import type { App } from '../context.ts'
import type { Db } from '../db/schema.ts'
import type { Channel, Receiver } from './channel.ts'
import type { Way } from './decide.ts'
import { lostMailboxes } from './mailbox.ts'
import { mutedUntil } from './muted.ts'
import { openReceiver } from './receivers.ts'

/** A way with the receiver at its end. */
export interface Open extends Way {
  readonly receiver_id: string
  readonly device_label: string | null
}

/** The open ways of each of these people. What is blocked, gone or told to be silent at this instant is none. */
export async function waysTo(
  app: Pick<App, 'keys' | 'channels' | 'config'>,
  db: Db,
  uids: readonly string[],
  at: string,
): Promise<(uid: string) => Open[]> {
  const rows = await db
    .selectFrom('channel_receivers')
    .selectAll()
    .where('uid', 'in', [...uids])
    .where('state', 'in', ['bound', 'failing'])
    .orderBy('id')
    .execute()
  const open = new Map<string, Open[]>()
  const add = (uid: string, way: Open) => void open.set(uid, [...(open.get(uid) ?? []), way])
  for (const row of rows) {
    const channel = app.channels[row.channel]
    if (channel.receivers !== 'rows') continue
    const receiver = openReceiver(app, row)
    if (mutedUntil(receiver, at) !== null) continue
    add(row.uid, { ...wayOf(channel, receiver), receiver_id: row.id, device_label: row.name })
  }
  const lost = await lostMailboxes(db, uids)
  const mails = Object.values(app.channels).filter(
    ({ receivers, unavailable }) => receivers === 'mail' && unavailable(app) === null,
  )
  for (const channel of mails)
    for (const { id, email } of await proved(db, uids))
      if (lost(id, email) === null)
        add(id, { ...wayOf(channel, { config: {} }), receiver_id: id, device_label: null })
  return (uid) => open.get(uid) ?? []
}

/** How a receiver of a channel is written to. */
export function wayOf(
  { id, rests, gathers, kinds }: Channel,
  { config: { strategies } }: Pick<Receiver, 'config'>,
): Way {
  return {
    ...{ channel: id, rests, gathers, ...(kinds && { kinds }) },
    strategies: Array.isArray(strategies) ? (strategies as string[]) : null,
  }
}

/** People with a proved address. */
function proved(db: Db, uids: readonly string[]): Promise<{ id: string; email: string }[]> {
  return db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', 'in', [...uids])
    .where('email_verified', '=', 1)
    .where('deleted_at', 'is', null)
    .execute()
}
