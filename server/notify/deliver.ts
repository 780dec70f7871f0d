// Sends what is due, each channel by itself and each receiver in order: one that is stuck delays nobody else.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelId } from '#contract/channels.ts'
import type { App } from '../context.ts'
import { InFlight, type UnrecordedSend, UnrecordedSends } from '../limits/concurrency.ts'
import { yieldToIntake } from '../limits/rate.ts'
import type { Channel } from './channel.ts'
import {
  bringForward,
  type Claimed,
  claim,
  dueChannels,
  heartbeat,
  type Liveness,
  SILENT_MS,
} from './queue.ts'
import { noteFailure, prepare, sendTo } from './send.ts'
import { OutcomeWriter } from './settle.ts'

/** What is due later is looked for so often. */
const LOOK_MS = 1_000
/** While signals crowd at the intake: so many messages in one go, so that the rest behind them is short (`yieldToIntake`). */
const IN_A_CROWD = 8
/** How long a line waits for its notes before it goes on. */
const WRITTEN_MS = 1_000
/** It says that it lives once in so many looks. */
const LOOKS_A_BEAT = 2
/** Nobody may make us wait longer for one receiver. */
const ASKED_MOST_MS = 3_600_000
/** It takes nothing and sends nothing so long before others may take it for dead. */
const MARGIN_MS = 2_000

export class Deliverer {
  readonly #app: App
  readonly #process = randomUUID()
  readonly #outcomes: OutcomeWriter
  readonly #senders = new Map<ChannelId, ChannelSender>()
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | null = null
  #beating: Promise<void> | undefined
  /** Others have been told of this process. */
  #announced = false
  #looks = 0
  readonly #liveness: Liveness = { until: 0, living: 1, renew: () => this.begin() }

  constructor(app: App) {
    this.#app = app
    this.#outcomes = new OutcomeWriter(app)
    const shared = { liveness: this.#liveness, unrecorded: new UnrecordedSends() }
    for (const channel of Object.values(app.channels))
      if (channel.receivers !== 'inbox')
        this.#senders.set(channel.id, new ChannelSender(app, channel, this.#process, this.#outcomes, shared))
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.look()
      if (++this.#looks % LOOKS_A_BEAT === 0) void this.#beat()
    }, LOOK_MS)
    this.#timer.unref()
    // Nothing is taken before others can know that this process lives.
    void this.#beat()
  }

  /** Lets others know of this process, where they do not: before that it takes nothing. */
  async begin(): Promise<void> {
    if (performance.now() > this.#liveness.until) await this.#beat()
    await this.#beating
  }

  /** These channels have something due now. */
  wake(channels: Iterable<ChannelId>): void {
    if (!this.#announced) return
    for (const channel of channels) this.#senders.get(channel)?.wake()
  }

  /** This receiver need not make room for others any more for having been slow. */
  forgive(channel: ChannelId, receiver_id: string): void {
    this.#senders.get(channel)?.forgive(receiver_id)
  }

  #beat(): Promise<void> {
    const began = performance.now()
    // Asked before anything is sent: what fails is given up by it.
    this.#beating ??= this.#app.trusted_clock
      .lately()
      .then(() => heartbeat(this.#app, this.#process))
      .then(
        ({ back, living }) => {
          this.#liveness.until = began + SILENT_MS - MARGIN_MS
          this.#liveness.living = living
          const begins = !this.#announced
          this.#announced = true
          if (begins || back > 0) this.look()
        },
        (error: unknown) => this.#app.log.error({ err: error }, 'notify: cannot say that it lives'),
      )
      .finally(() => {
        this.#beating = undefined
      })
    return this.#beating
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
    await Promise.all([this.#looking, this.#beating])
    await Promise.all([...this.#senders.values()].map((sender) => sender.stop()))
    await this.#outcomes.stop()
  }

  /** Resolves when nothing that is due now waits or is on its way: for tests and the demo. */
  async idle(): Promise<void> {
    await this.#beating
    await this.#looking
    await Promise.all([...this.#senders.values()].map((sender) => sender.idle()))
    await this.#outcomes.idle()
  }
}

/** What the channels of a process have in common. */
interface Shared {
  readonly liveness: Readonly<Liveness>
  readonly unrecorded: UnrecordedSends
}

/** One channel: how many are on their way, when whom may be written to next. */
class ChannelSender {
  readonly #app: App
  readonly #channel: Channel
  readonly #process: string
  readonly #outcomes: OutcomeWriter
  readonly #liveness: Readonly<Liveness>
  readonly #unrecorded: UnrecordedSends
  readonly #sending = new Set<Promise<void>>()
  readonly #in_flight: InFlight
  /** The channel as a whole waits: somebody told all of us to. */
  #paused_until = 0
  /** On the clock of the process. */
  #next_slot = 0
  #claiming: Promise<void> | null = null
  #again = false
  /** Something was due that had to be left: looked for when a place is given back. */
  #left = false
  #stopped = false
  readonly #stop = new AbortController()

  constructor(
    app: App,
    channel: Channel,
    process: string,
    outcomes: OutcomeWriter,
    { liveness, unrecorded }: Shared,
  ) {
    this.#app = app
    this.#channel = channel
    this.#in_flight = new InFlight(channel.pace.at_once)
    this.#process = process
    this.#outcomes = outcomes
    this.#liveness = liveness
    this.#unrecorded = unrecorded
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
      await this.#liveness.renew()
      if (!this.#alive()) return
      this.#in_flight.tidy(now)
      let claimed: readonly Claimed[] = []
      try {
        const taken = await claim(this.#app, this.#channel, this.#process, this.#in_flight, this.#most)
        claimed = taken.claimed
        this.#paused_until = Math.max(this.#paused_until, taken.paused_until)
        this.#left = taken.more
        if (claimed.length === 0) continue
        // What was not looked at comes now; what waits for a receiver comes when that is given back.
        if (taken.more) this.#again = true
        for (const one of await prepare(this.#app, this.#channel, claimed)) this.#begin(one)
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

  #alive(): boolean {
    return performance.now() < this.#liveness.until
  }

  /** Waits for the channel's next place: the messages of all processes together stay below what the other side allows. */
  async #slot(): Promise<UnrecordedSend> {
    const now = performance.now()
    const at = Math.max(now, this.#next_slot)
    this.#next_slot = at + (1_000 * this.#liveness.living) / this.#channel.pace.per_second
    if (at > now) await sleep(at - now, undefined, { signal: this.#stop.signal }).catch(() => undefined)
    return this.#unrecorded.take(this.#channel.id)
  }

  #begin(prepared: Awaited<ReturnType<typeof prepare>>[number]): void {
    if ('error' in prepared) {
      noteFailure(this.#app, this.#channel, prepared.claimed.rows, prepared.error, this.#outcomes)
      this.#in_flight.drop([prepared.claimed.receiver_id])
      return
    }
    const { receiver_id } = prepared
    const { per_receiver_ms } = this.#channel.pace
    const sending = sendTo(this.#app, this.#channel, prepared, {
      outcomes: this.#outcomes,
      stop: this.#stop.signal,
      alive: () => this.#alive(),
      slot: () => this.#slot(),
    })
      .then(async ({ better, whole, wrote, asked_ms, slow, paused_until, written }) => {
        this.#paused_until = Math.max(this.#paused_until, paused_until)
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
        // Where everything went and nothing was left, the next plan wakes it.
        if ((again || this.#left) && !this.#stopped) this.wake()
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
