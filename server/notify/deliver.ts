// Sends what is due, each channel by itself and each receiver in order: one that is stuck delays nobody else.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelId } from '#contract/channels.ts'
import type { App } from '../context.ts'
import { Lease } from '../jobs/lease.ts'
import { InFlight, type UnrecordedSend, UnrecordedSends } from '../limits/concurrency.ts'
import { yieldToIntake } from '../limits/rate.ts'
import type { Channel } from './channel.ts'
import { bringForward, type Claimed, claim, dueChannels, LEASE, renew, takeBack } from './queue.ts'
import { Badges, noteFailure, prepare, sendTo } from './send.ts'
import { OutcomeWriter } from './settle.ts'
import type { KeptSums } from './totals.ts'

/** What is due later is looked for so often. */
const LOOK_MS = 1_000
/** While signals crowd at the intake: so many messages in one go, so that the rest behind them is short (`yieldToIntake`). */
const IN_A_CROWD = 8
/** How long a line waits for its notes before it goes on. */
const WRITTEN_MS = 1_000
/** Nobody may make us wait longer for one receiver. */
const ASKED_MOST_MS = 3_600_000

export class Deliverer {
  readonly #app: App
  readonly #process = randomUUID()
  readonly #outcomes: OutcomeWriter
  readonly #senders = new Map<ChannelId, ChannelSender>()
  readonly #lease: Lease
  readonly #badges: Badges
  /** Ids of what is being sent. */
  readonly #held = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | null = null
  #beginning: Promise<void> | undefined
  #unwatch: () => void = () => undefined

  /** `sums`: what whoever plans has found out of what was made so far. */
  constructor(app: App, sums: KeptSums) {
    this.#app = app
    this.#outcomes = new OutcomeWriter(app)
    this.#badges = new Badges(app)
    this.#lease = new Lease(
      // Asked before anything is sent: what fails is given up by it.
      () => app.trusted_clock.lately().then(() => renew(app, this.#process, this.#held).then(() => true)),
      LEASE,
      (error) => app.log.error({ err: error }, 'notify: cannot say that it lives'),
    )
    const shared = {
      ...{ process: this.#process, outcomes: this.#outcomes, lease: this.#lease, held: this.#held },
      ...{ unrecorded: new UnrecordedSends(), badges: this.#badges, sums },
    }
    for (const channel of Object.values(app.channels))
      if (channel.receivers !== 'inbox')
        this.#senders.set(channel.id, new ChannelSender(app, channel, shared))
  }

  start(): void {
    this.#unwatch = this.#badges.watch()
    this.#timer = setInterval(() => this.look(), LOOK_MS)
    this.#timer.unref()
    this.#lease.start()
    void this.begin().then(() => this.look())
  }

  /** What a process before held on SQLite is due again, and what was planned by a clock that is doubted is asked about first. */
  begin(): Promise<void> {
    this.#beginning ??= this.#lease
      .renew()
      .then(() => takeBack(this.#app))
      .then(
        () => undefined,
        (error: unknown) => this.#app.log.error({ err: error }, 'notify: cannot take back deliveries'),
      )
    return this.#beginning
  }

  /** These channels have something due now. */
  wake(channels: Iterable<ChannelId>): void {
    for (const channel of channels) this.#senders.get(channel)?.wake()
  }

  /** This receiver need not make room for others any more for having been slow. */
  forgive(channel: ChannelId, receiver_id: string): void {
    this.#senders.get(channel)?.forgive(receiver_id)
  }

  /** Wakes every channel that has something due. */
  look(): void {
    this.#looking ??= dueChannels(this.#app)
      .then(
        (channels) => this.wake(channels),
        (error: unknown) => this.#app.log.error({ err: error }, 'notify: cannot look for deliveries'),
      )
      .finally(() => {
        this.#looking = null
      })
  }

  /** Takes nothing more; waits for what is on its way and writes down how it went. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#unwatch()
    await Promise.all([this.#looking, this.#beginning])
    await Promise.all([...this.#senders.values()].map((sender) => sender.stop()))
    await this.#outcomes.stop()
    await this.#lease.stop()
  }

  /** Resolves when nothing that is due now waits or is on its way: for tests and the demo. */
  async idle(): Promise<void> {
    await this.#beginning
    await this.#looking
    await Promise.all([...this.#senders.values()].map((sender) => sender.idle()))
    await this.#outcomes.idle()
  }
}

/** What the channels of a process have in common. */
interface Shared {
  readonly process: string
  readonly outcomes: OutcomeWriter
  readonly lease: Lease
  readonly held: Set<string>
  readonly unrecorded: UnrecordedSends
  readonly badges: Badges
  readonly sums: KeptSums
}

/** One channel: how many are on their way, when whom may be written to next. */
class ChannelSender {
  readonly #app: App
  readonly #channel: Channel
  readonly #shared: Shared
  readonly #sending = new Set<Promise<void>>()
  readonly #in_flight: InFlight
  /** The channel as a whole waits: somebody told all of us to. */
  #paused_until = 0
  /** On the clock of the process. */
  #next_slot = 0
  /** Other processes that sent over the channel, and when that was seen. */
  readonly #others = new Map<string, number>()
  #claiming: Promise<void> | null = null
  #again = false
  /** Something was due that had to be left: looked for when places are given back. */
  #left = false
  #stopped = false
  readonly #stop = new AbortController()

  constructor(app: App, channel: Channel, shared: Shared) {
    this.#app = app
    this.#channel = channel
    this.#shared = shared
    this.#in_flight = new InFlight(channel.pace.at_once)
  }

  wake(): void {
    this.#again = true
    this.#claiming ??= this.#run().finally(() => {
      this.#claiming = null
      // woken after its last look, before it was known to have ended
      if (this.#again && !this.#stopped) this.wake()
    })
  }

  forgive(receiver_id: string): void {
    this.#in_flight.forgive(receiver_id)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#stop.abort()
    await this.idle()
  }

  async idle(): Promise<void> {
    // What was sent makes it look once more.
    while (this.#claiming !== null || this.#sending.size > 0) {
      await this.#claiming
      await Promise.all(this.#sending)
    }
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false
      const now = this.#app.now()
      const began = performance.now()
      // Nobody is waited for so long: it is of a clock that was ahead.
      if (this.#paused_until > now + ASKED_MOST_MS) this.#paused_until = 0
      this.#left = this.#in_flight.full
      if (this.#left || now < this.#paused_until) return
      // A process that was kept from working for seconds says that it lives before it takes anything.
      if (!(await this.#shared.lease.ensure())) return
      const { term } = this.#shared.lease
      this.#in_flight.tidy(now)
      let claimed: readonly Claimed[] = []
      try {
        const taken = await claim(this.#app, this.#channel, this.#shared.process, this.#in_flight, this.#most)
        claimed = taken.claimed
        this.#paused_until = Math.max(this.#paused_until, taken.paused_until)
        this.#left = taken.more
        for (const other of taken.others) this.#others.set(other, began)
        if (claimed.length === 0) continue
        // What was not looked at comes now; what waits for a receiver comes when that is given back.
        if (taken.more) this.#again = true
        for (const { rows } of claimed) for (const { id } of rows) this.#shared.held.add(id)
        const prepared = await prepare(this.#app, this.#channel, claimed, this.#shared.sums)
        for (const one of prepared) this.#begin(one, term)
        await yieldToIntake(this.#app, began, this.#sending)
      } catch (error) {
        this.#in_flight.drop(claimed.map(({ receiver_id }) => receiver_id))
        // What was claimed comes back when its claim ends; the next look tries again, and not before.
        this.#again = false
        this.#app.log.error({ err: error, channel: this.#channel.id }, 'notify: cannot claim')
        return
      }
    }
  }

  get #most(): number {
    return this.#app.pressed() ? IN_A_CROWD : Number.POSITIVE_INFINITY
  }

  /** How many processes share what the channel may send. */
  get #sharing(): number {
    const before = performance.now() - LEASE.ms
    for (const [other, seen] of this.#others) if (seen < before) this.#others.delete(other)
    return 1 + this.#others.size
  }

  /** Waits for the channel's next place: the messages of all processes together stay below what the other side allows. */
  async #slot(): Promise<UnrecordedSend> {
    const now = performance.now()
    const at = Math.max(now, this.#next_slot)
    this.#next_slot = at + (1_000 * this.#sharing) / this.#channel.pace.per_second
    if (at > now) await sleep(at - now, undefined, { signal: this.#stop.signal }).catch(() => undefined)
    return this.#shared.unrecorded.take(this.#channel.id)
  }

  #begin(prepared: Awaited<ReturnType<typeof prepare>>[number], term: number): void {
    const { outcomes, lease, held, badges } = this.#shared
    if ('error' in prepared) {
      noteFailure(this.#app, this.#channel, prepared.claimed.rows, prepared.error, outcomes)
      for (const { id } of prepared.claimed.rows) held.delete(id)
      this.#in_flight.drop([prepared.claimed.receiver_id])
      return
    }
    const { receiver_id } = prepared
    const { per_receiver_ms } = this.#channel.pace
    const sending = sendTo(this.#app, this.#channel, prepared, {
      ...{ outcomes, badges, stop: this.#stop.signal },
      holds: () => lease.holds && lease.term === term,
      slot: () => this.#slot(),
    })
      .then(async ({ better, whole, wrote, asked_ms, slow, paused_until, written }) => {
        this.#paused_until = Math.max(this.#paused_until, paused_until)
        void written.then(() => {
          for (const { id } of prepared.rows) held.delete(id)
        })
        // Until then the next for this receiver looks as if somebody else were sending to it.
        await inTime(written, WRITTEN_MS)
        const now = this.#app.now()
        // What the other side asked for holds for whatever else is to go there, too.
        const next_at = now + Math.max(wrote ? per_receiver_ms : 0, Math.min(asked_ms, ASKED_MOST_MS))
        this.#in_flight.giveBack(receiver_id, { slow, next_at }, now)
        if (better) await bringForward(this.#app, this.#channel.id, receiver_id)
        return better || !whole
      })
      .then((again) => {
        this.#sending.delete(sending)
        // Where everything went and nothing was left, the next plan wakes it; what was left is taken for several places at once.
        if ((again || (this.#left && this.#in_flight.half_free)) && !this.#stopped) this.wake()
      })
    this.#sending.add(sending)
  }
}

/** Resolves with `work`, after so long without it: a database that is away keeps no line from stopping. */
async function inTime(work: Promise<unknown>, ms: number): Promise<void> {
  const late = new AbortController()
  await Promise.race([work, sleep(ms, undefined, { signal: late.signal }).catch(() => undefined)])
  late.abort()
}
