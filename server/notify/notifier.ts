// The notifier: plans from events, delivers, and runs what channels do by themselves, as long as the server runs.
import { sql } from 'kysely'
import type { ChannelId } from '#contract/channels.ts'
import type { App } from '../context.ts'
import { eachAlone } from '../jobs/jobs.ts'
import { askLater } from './alarm-news.ts'
import { Deliverer } from './deliver.ts'
import { Planner } from './planner.ts'
import { undoClockJump } from './queue.ts'
import { clearLostMailbox } from './receivers.ts'
import { KeptSums } from './totals.ts'

declare module '../context.ts' {
  interface App {
    readonly notifier: Notifier
  }
}

/** A push that no device has confirmed by then is 「未確認」. */
const UNCONFIRMED_MS = 10 * 60_000

export class Notifier {
  readonly #app: () => App
  #planner: Planner | undefined
  #deliverer: Deliverer | undefined
  readonly #sums = new KeptSums()
  #ending: (() => Promise<void>)[] = []
  /** Else it works only when it is told to catch up. */
  #started = false

  constructor(app: () => App) {
    this.#app = app
  }

  start(): void {
    this.#started = true
    const app = this.#app()
    app.mail.onPassed = (address) => {
      clearLostMailbox(app, address).catch((error: unknown) =>
        app.log.error({ err: error }, 'notify: a mailbox that is there again'),
      )
    }
    const { planner, deliverer } = this.#parts()
    planner.start()
    deliverer.start()
    for (const channel of Object.values(app.channels))
      if (channel.run && channel.unavailable(app) === null) this.#ending.push(channel.run(app))
  }

  /** These channels have something due now. */
  wake(channels: Iterable<ChannelId>): void {
    if (this.#started) this.#deliverer?.wake(channels)
  }

  /** A person wants this receiver tried now. */
  again(channel: ChannelId, receiver_id: string): void {
    this.#deliverer?.forgive(channel, receiver_id)
    this.wake([channel])
  }

  /** Plans and sends everything that is due now: for tests, whose clock stands where they put it; also where it was never started. */
  async catchUp(): Promise<void> {
    const { planner, deliverer } = this.#parts()
    await deliverer.begin()
    await planner.sweep()
    deliverer.look()
    await deliverer.idle()
  }

  #parts(): { planner: Planner; deliverer: Deliverer } {
    const deliverer = this.#deliverer ?? new Deliverer(this.#app(), this.#sums)
    const planner =
      this.#planner ?? new Planner(this.#app(), (channels) => deliverer.wake(channels), this.#sums)
    this.#deliverer = deliverer
    this.#planner = planner
    return { planner, deliverer }
  }

  async stop(): Promise<void> {
    await this.#planner?.stop()
    await Promise.all(this.#ending.map((end) => end()))
    await this.#deliverer?.stop()
    this.#started = false
    this.#planner = undefined
    this.#deliverer = undefined
    this.#ending = []
  }
}

/** What is looked at each minute, in one of the processes: each by itself. */
export async function lookAfterDeliveries(app: App): Promise<void> {
  await eachAlone([sayUnconfirmed, askLater, undoClockJump], (look) => look(app))
}

/** Says 「未確認」 of what nothing confirmed, by the clock: a device that reports later changes it all the same (inbox.ts). What is old is forgotten with everything else (housekeeping.ts). */
async function sayUnconfirmed({ db, now }: Pick<App, 'db' | 'now'>): Promise<void> {
  // A device may say so before the push service's answer was written down. Literally, so that the index of these few is found.
  const sent = sql<boolean>`state = 'sent'`
  await db
    .updateTable('notification_deliveries')
    .set({ state: 'confirmed' })
    .where(sent)
    .where('shown_at', 'is not', null)
    .execute()
  await db
    .updateTable('notification_deliveries')
    .set({ state: 'unconfirmed', reason: '裝置還沒有回報顯示' })
    .where(sent)
    .where('sent_at', '<', new Date(now() - UNCONFIRMED_MS).toISOString())
    .execute()
}
