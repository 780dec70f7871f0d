// Writes down how deliveries went: what was sent at once, by itself, because a process that is killed before that sends it twice;
// then what follows from it: what a receiver has become, and that the next channel may come.
import type { DeliveryState } from '#contract/channels.ts'
import type { App, Tx } from '../context.ts'
import { bulkUpdate, isPostgres, runBulk, runBulkAlone, runTogether, type Work } from '../db/bulk.ts'
import type { NotificationDeliveryRow } from '../db/schema.ts'
import { inTransaction } from '../events/append.ts'
import { type BackoffNote, backoffWork } from '../limits/backoff.ts'
import type { Channel, Ended, Receiver } from './channel.ts'
import { markMailboxLost, moveReceiver, openReceiver } from './receivers.ts'

const OUTCOME = bulkUpdate(
  'notification_deliveries',
  {
    ...({ id: 'text', state: 'text', reason: 'text', next_at: 'text', sent_at: 'text' } as const),
    ...({ lease_holder: 'text', attempts: 'integer' } as const),
  },
  // What was sent stays sent, whoever else took this process for dead and tried it meanwhile.
  { id: 'id', key: 'id', only: 'notification_deliveries.sent_at is null' },
)
/** A notification delivery that was tried, or is given up. */
type Tried = Pick<
  NotificationDeliveryRow,
  'id' | 'notification_id' | 'attempts' | 'created_at' | 'due_at' | 'rank' | 'uid'
>
/** What a try makes of the receiver's rest, or of the whole channel's. */
export interface Resting {
  readonly channel: Channel['id']
  readonly receiver_id: string
  readonly note: BackoffNote
}
interface Note {
  readonly row: {
    readonly id: string
    readonly state: NotificationDeliveryRow['state']
    readonly reason: string | null
    readonly next_at: string | null
    readonly sent_at: string | null
    readonly lease_holder: null
    readonly attempts: number
  }
  /** What follows from it, in the same transaction. */
  readonly and?: (tx: Tx) => Promise<void>
  /** Written down before the delivery is let go: whoever takes the next for this receiver finds it. */
  readonly rest?: Resting | undefined
  readonly written: () => void
}

/** How many a statement takes. */
const MOST = 500
/** After a failed commit. */
const AGAIN_MS = 500
/** On PostgreSQL what ended just after a statement began need not wait for its end. */
const WRITERS = { sqlite: 1, postgres: 2 } as const

export class OutcomeWriter {
  readonly #app: App
  readonly #receivers: ReceiverHealth
  #notes: Note[] = []
  readonly #writing = new Set<Promise<void>>()
  #stopped = false

  constructor(app: App) {
    this.#app = app
    this.#receivers = new ReceiverHealth(app)
  }

  /** A try and what came of it; resolves when it is written down. `first`: of those that went as one message. */
  note(
    channel: Channel,
    delivery: Tried,
    result: Ended,
    receiver?: Receiver,
    {
      now_ms = this.#app.now(),
      chance = Math.random(),
      rest,
      first = false,
    }: { now_ms?: number; chance?: number; rest?: Resting | undefined; first?: boolean } = {},
  ): Promise<void> {
    const { id, attempts, notification_id, rank, created_at, due_at } = delivery
    const after = retryPolicy(channel, result, { attempts, since: due_at ?? created_at }, now_ms, {
      chance,
      first_ms: this.#app.config.notify_first_retry_ms,
      believed_ms: this.#app.trusted_clock.latest(),
    })
    if (receiver && channel.receivers === 'rows') this.#receivers.note(receiver.id, result, now_ms)
    const change =
      receiver &&
      (result.kind === 'refused'
        ? first && !result.ours && refusedAgain(this.#app, channel, receiver, result.reason, delivery)
        : changeOf(this.#app, channel, receiver, result))
    const ends = after.state === 'dead'
    return this.#put(
      { id, ...after, lease_holder: null, attempts },
      ends || change
        ? async (tx) => {
            if (ends) await letNextCome(tx, notification_id, rank)
            if (change) await change(tx)
          }
        : undefined,
      rest,
    )
  }

  /** It was not tried: it comes again when the one before it does. */
  giveBack({ id, attempts }: Tried, wait_ms: number): Promise<void> {
    const next_at = new Date(this.#app.now() + wait_ms).toISOString()
    return this.#put({
      ...{ id, state: 'planned', reason: null, next_at, sent_at: null, lease_holder: null },
      attempts: attempts - 1,
    })
  }

  /** It is not told any more. `opens`: not here; the next channel may come. */
  drop({ id, attempts, notification_id, rank }: Tried, reason: string, opens = false): Promise<void> {
    return this.#put(
      {
        ...{ id, state: 'skipped', reason, next_at: null, sent_at: null, lease_holder: null },
        attempts: attempts - 1,
      },
      opens ? (tx) => letNextCome(tx, notification_id, rank) : undefined,
    )
  }

  async idle(): Promise<void> {
    while (this.#writing.size > 0) await Promise.all(this.#writing)
    await this.#receivers.flush()
  }

  /** Writes down what there is; what cannot be written now is sent again by the next process. */
  stop(): Promise<void> {
    this.#stopped = true
    return this.idle()
  }

  #put(row: Note['row'], and?: Note['and'], rest?: Resting): Promise<void> {
    return new Promise((written) => {
      this.#notes.push({ row, written, rest, ...(and && { and }) })
      if (this.#writing.size >= WRITERS[this.#app.engine]) return
      const writing = this.#write().finally(() => this.#writing.delete(writing))
      this.#writing.add(writing)
    })
  }

  async #write(): Promise<void> {
    // What came in this turn of the loop goes together; longer would only widen the time in which a killed process forgets.
    await new Promise((next) => setImmediate(next))
    while (this.#notes.length > 0) {
      const notes = this.#notes.splice(0, MOST)
      const rest = notes.filter(({ and }) => and)
      const plain = notes.filter(({ and }) => !and)
      try {
        await this.#done(plain, () => this.#plain(plain))
        await this.#done(rest, () =>
          inTransaction(this.#app, async (tx) => {
            await runTogether(tx.db, this.#rests(rest))
            await runBulk(tx.db, OUTCOME, rowsOf(rest))
            for (const { and } of rest) await and?.(tx)
          }),
        )
      } catch (error) {
        // Kept and written again: until the claims end nobody sends them once more.
        this.#app.log.error({ err: error, deliveries: notes.length }, 'notify: cannot write down deliveries')
        if (this.#stopped) return
        await new Promise((next) => setTimeout(next, AGAIN_MS))
      }
    }
  }

  /** As one commit; on PostgreSQL as one statement. */
  async #plain(notes: readonly Note[]): Promise<void> {
    const { db } = this.#app
    const work = [...this.#rests(notes), { bulk: OUTCOME, rows: rowsOf(notes) } as unknown as Work]
    if (work.length === 1) await runBulkAlone(db, OUTCOME, rowsOf(notes))
    else if (isPostgres(db)) await runTogether(db, work)
    else await db.transaction().execute((tx) => runTogether(tx, work))
  }

  #rests(notes: readonly Note[]): Work[] {
    const rests = notes.flatMap(({ rest }) =>
      rest ? [[rest.channel, rest.receiver_id, rest.note] as const] : [],
    )
    return backoffWork(rests, this.#app.now(), this.#app.config.notify_first_retry_ms)
  }

  /** Writes them; what could not be written waits again. */
  async #done(notes: Note[], write: () => Promise<unknown>): Promise<void> {
    if (notes.length === 0) return
    try {
      await write()
    } catch (error) {
      this.#notes.unshift(...notes)
      throw error
    }
    for (const { written } of notes) written()
  }
}

const rowsOf = (notes: readonly Note[]) => notes.map(({ row }) => row)

/** After so many messages in a row that were refused for the same reason a receiver is failing, whatever the words were. */
const REFUSED_MOST = 3
/** So far back is looked: what went as one message may be many. */
const LOOKED_AT = 60

/** A refusal that will not change: nobody should wait for signals there any longer. The next one that is sent takes it back. */
function refusedAgain(
  app: App,
  channel: Channel,
  receiver: Receiver,
  reason: string,
  { id }: Pick<NotificationDeliveryRow, 'id'>,
): (tx: Tx) => Promise<void> {
  return async (tx) => {
    const { uid } = receiver
    let own = tx.db
      .selectFrom('notification_deliveries')
      .select(['id', 'state', 'reason', 'tried_in'])
      .where('uid', '=', uid)
      .where('channel', '=', channel.id)
      .where('state', 'in', ['dead', 'sent', 'confirmed'])
      .where('id', '!=', id)
    if (channel.receivers === 'rows') own = own.where('receiver_id', '=', receiver.id)
    const rows = await own.orderBy('id', 'desc').limit(LOOKED_AT).execute()
    const other = rows.findIndex((row) => row.state !== 'dead' || row.reason !== reason)
    const refused = rows.slice(0, other < 0 ? rows.length : other)
    const messages = new Set(refused.map((row) => row.tried_in ?? row.id))
    if (messages.size < REFUSED_MOST - 1) return
    const words = `連續 ${REFUSED_MOST} 則都被拒絕：${reason}。請確認對方還收得到，再按「傳送測試」；不行就重新綁定`
    await changeOf(app, channel, receiver, { kind: 'lost', state: 'failing', reason: words })?.(tx)
  }
}

/** What a result makes of its receiver for good; undefined for what only says how it is. */
function changeOf(
  app: App,
  { id: channel, receivers }: Channel,
  receiver: Receiver,
  result: Ended,
): ((tx: Tx) => Promise<void>) | undefined {
  const { id, uid } = receiver
  if (result.kind === 'moved' && receivers === 'rows')
    return (tx) => moveReceiver(app, tx.db, { id, channel }, result)
  if (result.kind !== 'lost') return undefined
  const { state, reason } = result
  if (receivers === 'mail') return (tx) => markMailboxLost(tx, receiver, reason)
  return async (tx) => {
    const row = await tx.db
      .selectFrom('channel_receivers')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    // Another address was entered while this one was asked: it says nothing of that.
    if (!row || openReceiver(app, row).address !== receiver.address) return
    await tx.db.updateTable('channel_receivers').set({ state, reason }).where('id', '=', id).execute()
    await tx.append(`p:${uid}`, 'telegram', { change: 'state' })
  }
}

/** What comes after a channel that has failed for good need not wait for its time. */
async function letNextCome(tx: Tx, notification_id: string, rank: number): Promise<void> {
  // What goes by itself has no place in the order.
  if (rank === 0) return
  const another = await tx.db
    .selectFrom('notification_deliveries')
    .select('id')
    .where('notification_id', '=', notification_id)
    .where('rank', '=', rank)
    .where('state', 'not in', ['dead', 'skipped'])
    .executeTakeFirst()
  if (another) return
  const next = await tx.db
    .selectFrom('notification_deliveries')
    .select(({ fn }) => fn.min('rank').as('rank'))
    .where('notification_id', '=', notification_id)
    .where('rank', '>', rank)
    .where('state', '=', 'planned')
    .executeTakeFirst()
  if (next?.rank == null) return
  await tx.db
    .updateTable('notification_deliveries')
    .set({ next_at: tx.at })
    .where('notification_id', '=', notification_id)
    .where('rank', '=', next.rank)
    .where('state', '=', 'planned')
    .execute()
}

// What becomes of a delivery after a try: when it is tried again, and when it is given up. No clock and no database in it.

/** Pauses after the first, second, … try in terms of the first, each with up to a quarter more or less (docs/decisions/notifications.md). */
const BACKOFF = [1, 5, 15, 60, 300, 900, 1_800] as const
/** What could not be delivered for so long is news to nobody. */
const GIVE_UP_MS = 12 * 3_600_000
/** Nobody may make us wait longer for one receiver. */
const AFTER_MOST_MS = 3_600_000

/** A delivery before the try. */
interface TriedDelivery {
  /** This try counted. */
  readonly attempts: number
  /** When it was first to go. */
  readonly since: string
}

/** The columns of a delivery after it. */
interface AfterTry {
  readonly state: DeliveryState
  readonly reason: string | null
  readonly next_at: string | null
  readonly sent_at: string | null
}

/**
 * `now_ms` since 1970; `chance` between 0 and 1 spreads the next tries, `first_ms` is the first pause. `believed_ms`: by which it is
 * given up as old, which a clock that jumped ahead would make of everything.
 */
export function retryPolicy(
  { confirms }: Pick<Channel, 'confirms'>,
  result: Ended,
  { attempts, since }: TriedDelivery,
  now_ms: number,
  {
    chance,
    first_ms,
    believed_ms = now_ms,
  }: { readonly chance: number; readonly first_ms: number; readonly believed_ms?: number },
): AfterTry {
  const now = new Date(now_ms).toISOString()
  switch (result.kind) {
    case 'sent':
      return { state: confirms ? 'confirmed' : 'sent', reason: null, next_at: null, sent_at: now }
    case 'refused':
    case 'lost':
      return { state: 'dead', reason: result.reason, next_at: null, sent_at: null }
    case 'moved':
      return { state: 'failed', reason: null, next_at: now, sent_at: null }
    case 'again': {
      const pause = BACKOFF[attempts - 1]
      if (pause === undefined || believed_ms - Date.parse(since) > GIVE_UP_MS)
        return {
          state: 'dead',
          reason: `試了 ${attempts} 次都沒有送到：${result.reason}`,
          next_at: null,
          sent_at: null,
        }
      // Who says when is believed to the millisecond; else the tries of many spread.
      const wait =
        result.after_ms === undefined
          ? first_ms * pause * (0.75 + chance / 2)
          : Math.min(result.after_ms, AFTER_MOST_MS)
      const next_at = new Date(now_ms + Math.ceil(wait)).toISOString()
      return { state: 'failed', reason: result.reason, next_at, sent_at: null }
    }
  }
}

// How receivers are doing, as tries tell it: when one last worked, why it did not. Nothing depends on it, so it is gathered and
// written a moment later: what was sent is written down first.

const RECEIVER_HEALTH = bulkUpdate(
  'channel_receivers',
  { id: 'text', last_ok_at: 'text', state: 'text', reason: 'text' },
  {
    ...{ id: 'id', key: 'id' },
    how: {
      last_ok_at: (column, given) => `coalesce(${given}, ${column})`,
      state: (column, given) => `coalesce(${given}, ${column})`,
    },
    // Blocked or gone meanwhile: that is newer.
    only: "channel_receivers.state in ('bound', 'failing')",
  },
)
interface Health {
  readonly last_ok_at: string | null
  readonly state: 'bound' | null
  readonly reason: string | null
}

const GATHER_MS = 1_000

class ReceiverHealth {
  readonly #app: Pick<App, 'db' | 'log'>
  #news = new Map<string, Health>()
  #writing: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(app: Pick<App, 'db' | 'log'>) {
    this.#app = app
  }

  /** What a try says of the receiver. */
  note(id: string, result: Ended, now_ms: number): void {
    if (result.kind === 'sent')
      this.#news.set(id, { last_ok_at: new Date(now_ms).toISOString(), state: 'bound', reason: null })
    else if (result.kind === 'again') {
      const last_ok_at = this.#news.get(id)?.last_ok_at ?? null
      this.#news.set(id, { last_ok_at, state: null, reason: result.reason })
    } else return
    this.#timer ??= setTimeout(() => void this.flush(), GATHER_MS)
  }

  /** Writes what there is. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const rows = [...this.#news].map(([id, news]) => ({ id, ...news }))
    this.#news = new Map()
    if (rows.length > 0)
      this.#writing = this.#writing
        .then(() => runBulkAlone(this.#app.db, RECEIVER_HEALTH, rows))
        .then(
          () => undefined,
          // The next try says it again.
          (error: unknown) => this.#app.log.error({ err: error }, 'notify: cannot note how receivers are'),
        )
    return this.#writing
  }
}
