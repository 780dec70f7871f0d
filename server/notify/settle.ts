// Writes down how deliveries went, many in one transaction; what a receiver has become; and lets the next channel come.
import type { ChannelId } from '#contract/channels.ts'
import type { App, Tx } from '../context.ts'
import { type BulkRow, bulkUpdate, runBulk } from '../db/bulk.ts'
import type { NotificationDeliveryRow } from '../db/schema-notify.ts'
import { inTransaction } from '../events/transaction.ts'
import { afterTry } from './after.ts'
import type { Channel, Outcome, Receiver } from './channel.ts'
import { moveReceiver } from './receivers.ts'

const AFTER = bulkUpdate(
  'notification_deliveries',
  {
    ...({ id: 'text', state: 'text', reason: 'text', next_at: 'text', sent_at: 'text' } as const),
    ...({ lease_holder: 'text', attempts: 'integer' } as const),
  },
  { id: 'id', key: 'id' },
)
type Row = BulkRow<'id' | 'state' | 'reason' | 'next_at' | 'sent_at' | 'lease_holder' | 'attempts'>
type Delivery = Pick<
  NotificationDeliveryRow,
  'id' | 'notification_id' | 'attempts' | 'created_at' | 'rank' | 'uid'
>

/** How many a transaction takes. */
const MOST = 500
/** After a failed commit. */
const AGAIN_MS = 500

export class Settling {
  readonly #app: App
  #rows: Row[] = []
  /** Notifications whose next channel may come at once. */
  #open: { notification_id: string; rank: number }[] = []
  #receivers: ((tx: Tx) => Promise<void>)[] = []
  #writing: Promise<void> | null = null
  #stopped = false

  constructor(app: App) {
    this.#app = app
  }

  /** A try and what came of it. */
  note(
    channel: Channel,
    delivery: Delivery,
    outcome: Outcome,
    receiver?: Receiver,
    now_ms = this.#app.now(),
  ): void {
    const after = afterTry(channel, outcome, delivery, now_ms, {
      chance: Math.random(),
      first_ms: this.#app.config.notify_first_retry_ms,
    })
    const { id, attempts, notification_id, rank } = delivery
    this.#rows.push({ id, ...after, lease_holder: null, attempts })
    if (after.state === 'dead') this.#open.push({ notification_id, rank })
    if (receiver && channel.receivers === 'rows') this.#noteReceiver(channel.id, receiver, outcome)
    this.#wake()
  }

  /** It was not tried: it comes again when the one before it does. */
  giveBack(delivery: Delivery, outcome: Outcome): void {
    const wait = outcome.kind === 'again' ? (outcome.after_ms ?? 2_000) : 0
    const next_at = new Date(this.#app.now() + wait).toISOString()
    const { id, attempts } = delivery
    this.#rows.push({
      ...{ id, state: 'planned', reason: null, next_at, sent_at: null, lease_holder: null },
      attempts: attempts - 1,
    })
    this.#wake()
  }

  /** It is not told any more. */
  drop({ id, attempts }: Delivery, reason: string): void {
    this.#rows.push({
      ...{ id, state: 'skipped', reason, next_at: null, sent_at: null, lease_holder: null },
      attempts: attempts - 1,
    })
    this.#wake()
  }

  async idle(): Promise<void> {
    while (this.#writing !== null) await this.#writing
  }

  /** Writes down what there is; what cannot be written now is sent again by the next process. */
  stop(): Promise<void> {
    this.#stopped = true
    return this.idle()
  }

  #noteReceiver(channel: ChannelId, { id, uid }: Receiver, outcome: Outcome): void {
    if (outcome.kind === 'refused') return
    this.#receivers.push(async (tx) => {
      const update = tx.db.updateTable('channel_receivers').where('id', '=', id)
      if (outcome.kind === 'sent')
        await update.set({ last_ok_at: tx.at, state: 'bound', reason: null }).execute()
      else if (outcome.kind === 'again') await update.set({ reason: outcome.reason }).execute()
      else if (outcome.kind === 'moved') await moveReceiver(this.#app, tx.db, { id, channel }, outcome)
      else if (outcome.kind === 'lost') {
        await update.set({ state: outcome.state, reason: outcome.reason }).execute()
        await tx.append(`p:${uid}`, 'telegram', { change: 'state' })
      }
    })
  }

  #wake(): void {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null
      if (this.#rows.length > 0) this.#wake()
    })
  }

  async #write(): Promise<void> {
    // What came in this turn of the loop goes together; longer would only widen the time in which a killed process forgets.
    await new Promise((next) => setImmediate(next))
    while (this.#rows.length > 0) {
      const rows = this.#rows.splice(0, MOST)
      const [open, receivers] = [this.#open, this.#receivers]
      this.#open = []
      this.#receivers = []
      try {
        await inTransaction(this.#app, async (tx) => {
          await runBulk(tx.db, AFTER, rows)
          for (const { notification_id, rank } of open) await letNextCome(tx, notification_id, rank)
          for (const write of receivers) await write(tx)
        })
      } catch (error) {
        // Kept and written again: until the leases end nobody sends them once more.
        this.#app.log.error({ err: error, deliveries: rows.length }, 'notify: cannot write down deliveries')
        if (this.#stopped) return
        this.#rows.unshift(...rows)
        this.#open.unshift(...open)
        this.#receivers.unshift(...receivers)
        await new Promise((next) => setTimeout(next, AGAIN_MS))
      }
    }
  }
}

/** What comes after a channel that has failed for good need not wait for its time. */
async function letNextCome(tx: Tx, notification_id: string, rank: number): Promise<void> {
  const another = await tx.db
    .selectFrom('notification_deliveries')
    .select('id')
    .where('notification_id', '=', notification_id)
    .where('rank', '=', rank)
    .where('channel', '!=', 'in_app')
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
