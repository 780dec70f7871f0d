// Reads the events by a cursor of its own and plans who is told what: never called by the intake, each event once (docs/decisions/notifications.md).
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ChannelId } from '#contract/channels.ts'
import type { AppEvent, EventData, EventKind, Scope } from '#contract/events.ts'
import type { SignalRecord } from '#contract/signal.ts'
import { today } from '../access/membership.ts'
import type { App, Tx } from '../context.ts'
import { bulkUpdate, type Work } from '../db/bulk.ts'
import { isStorage } from '../db/condition.ts'
import { held } from '../db/query.ts'
import { inTransaction, minuteNow } from '../events/append.ts'
import { eventsAfter, nextNumber, PAGE, type Page } from '../stream/read.ts'
import { audiences } from './audience.ts'
import { enqueue, type News } from './enqueue.ts'
import { newsOf } from './news.ts'
import { KeptSums, totals } from './totals.ts'

/** Whether the planner goes to work at once: its sweep finds the others, too. Of an invitation see membership-news.ts. */
const WAKES: { readonly [K in EventKind]: boolean | ((data: EventData[K]) => boolean) } = {
  signal: true,
  'signal-voided': true,
  // Every accepted message is told as one, too: only a refused one is news.
  delivery: ({ outcome }) => outcome === 'rejected',
  format: ({ change }) => change === 'asked',
  membership: true,
  'context-revoked': true,
  announcement: true,
  silence: true,
  organization: ({ request_id }) => request_id !== undefined,
  profile: ({ request_id }) => request_id !== undefined,
  strategy: false,
  group: false,
  setting: false,
  notification: false,
  'notification-read': false,
  telegram: false,
  reset: false,
}
export function isUrgent({ kind, data }: AppEvent): boolean {
  // One that is only stored, of another version, wakes nobody.
  const wakes = (WAKES[kind] ?? false) as boolean | ((data: EventData[EventKind]) => boolean)
  return typeof wakes === 'function' ? wakes(data) : wakes
}
/** What another process left behind when it was killed is found so soon. */
const SWEEP_MS = 5_000
/** A commit may be some minutes later than its number, and a clock behind: then the next whole sweep, each hour, finds it. */
const SLACK = 3
const WHOLE_EVERY = 720
const SCOPES_AT_ONCE = 64
/** So often an event is tried before nobody is told of it. */
const GIVE_UP_AFTER = 5
/**
 * So long a transaction may take; how much fits is learned from those before. On SQLite nobody else writes meanwhile, and where
 * signals press somebody is always about to; on PostgreSQL it is waiting for most of it, the same for much as for little.
 */
const PLAN_MS = { sqlite: 40, postgres: 500 } as const
const PLAN_IN_A_CROWD_MS = 10
/** On PostgreSQL a plan gives way to others of the process as often. */
const TURN_MS = 5
const NEWS_LEAST = 10
const NEWS_MOST = 400
/** While signals press, planning takes half of SQLite's time, until somebody has waited for so long: then it goes on and on. */
const BEHIND_MS = 1_000
/** Where plans follow each other, so much comes together: what a transaction costs is shared by more. */
const GATHER_MS = 25
/** Scopes a millisecond from which they do. */
const GATHER_FROM = 0.15
/** Most events are news to nobody: so many are read of a scope, however small its share. */
const ROWS_LEAST = 20
/** A signal is an event, its message is one, and so is each line in an inbox. */
const EVENTS_OF_A_NEWS = 3
/** Events of this process that are kept until they are planned; what is more is read. */
const HEARD_MOST = 20_000

/** What was committed here and waits to be planned, so that it need not be read again: of each scope a part without gaps. */
export class Heard {
  readonly #of = new Map<Scope, AppEvent[]>()
  #count = 0

  add(event: AppEvent): void {
    const known = this.#of.get(event.scope)
    // Another process wrote in between, or two commits came in the other order: the table has all of it.
    const follows = known?.at(-1)?.seq === event.seq - 1
    if (this.#count >= HEARD_MOST) this.#clear()
    if (known && !follows) this.forget(event.scope, Number.MAX_SAFE_INTEGER)
    const list = this.#of.get(event.scope)
    if (list) list.push(event)
    else this.#of.set(event.scope, [event])
    this.#count++
  }

  /** The next events after a number, null where not all of them were heard. */
  after(scope: Scope, seq: number, most: number): Page | null {
    this.forget(scope, seq)
    const list = this.#of.get(scope)
    if (list?.[0]?.seq !== seq + 1) return null
    const events = list.length > most ? list.slice(0, most) : list
    return { events, found: events.length, last: events.at(-1)?.seq ?? null }
  }

  count(scope: Scope): number {
    return this.#of.get(scope)?.length ?? 0
  }

  /** Up to this number it is planned. */
  forget(scope: Scope, seq: number): void {
    const list = this.#of.get(scope)
    if (!list) return
    const left = list.findIndex((event) => event.seq > seq)
    this.#count -= left < 0 ? list.length : left
    if (left < 0) this.#of.delete(scope)
    else if (left > 0) this.#of.set(scope, list.slice(left))
  }

  /** The records among them, by strategy. */
  records(scopes: readonly Scope[]): Map<string, SignalRecord[]> {
    const records = scopes.flatMap((scope) =>
      (this.#of.get(scope) ?? []).flatMap((event) =>
        event.kind === 'signal' || event.kind === 'signal-voided' ? event.data : [],
      ),
    )
    return Map.groupBy(records, ({ strategy_id }) => strategy_id)
  }

  #clear(): void {
    this.#of.clear()
    this.#count = 0
  }
}

export class Planner {
  readonly #app: App
  readonly #planned: (channels: ReadonlySet<ChannelId>) => void
  /** Scopes with something to plan, and since when, on the clock of the process. */
  readonly #waiting = new Map<Scope, number>()
  readonly #carried: Carried
  /** How often a scope could not be planned, by no fault of the storage. */
  readonly #failed = new Map<Scope, number>()
  #running: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined
  #unwatch: () => void = () => undefined
  #stopped = false
  #began = Number.NEGATIVE_INFINITY
  /** How long the last plan took, and how long the oldest of what it planned had waited. */
  #took = 0
  #behind = 0
  /** Scopes that want a plan in a millisecond, of late. */
  #rate = 0
  #sweeps = 0
  /** From which minute on a scope was touched that is behind. */
  #since = 0

  /** `planned` hears which channels have something to send now. */
  constructor(app: App, planned: (channels: ReadonlySet<ChannelId>) => void, sums = new KeptSums()) {
    this.#app = app
    this.#planned = planned
    this.#carried = { halfway: new Map(), heard: new Heard(), sums, room: NEWS_LEAST }
  }

  start(): void {
    this.#unwatch = this.#app.events.watch((events) => {
      const now = performance.now()
      for (const event of events) {
        this.#carried.heard.add(event)
        if (isUrgent(event) && !this.#waiting.has(event.scope)) this.#waiting.set(event.scope, now)
      }
      this.#wake()
    })
    void this.sweep()
    this.#timer = setInterval(() => void this.sweep(), SWEEP_MS)
    this.#timer.unref()
  }

  /** Takes nothing more and waits for what runs. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#unwatch()
    clearInterval(this.#timer)
    await this.#running
  }

  /** Looks for scopes that are behind, and plans them. Resolves when nothing waits. */
  async sweep(): Promise<void> {
    try {
      const now = performance.now()
      const since = this.#sweeps++ % WHOLE_EVERY === 0 ? 0 : this.#since
      const behind = await scopesBehind(this.#app, since)
      this.#since = Math.min(minuteNow() - SLACK, behind[0]?.touched ?? Number.MAX_SAFE_INTEGER)
      for (const { scope } of behind) if (!this.#waiting.has(scope)) this.#waiting.set(scope, now)
      this.#wake()
      await this.#running
    } catch (error) {
      this.#app.log.error({ err: error }, 'notify: cannot look for events')
    }
  }

  #wake(): void {
    if (this.#waiting.size > 0 && !this.#stopped) this.#running ??= this.#run()
  }

  async #run(): Promise<void> {
    // What is committed in this turn joins the same plan.
    await new Promise((next) => setImmediate(next))
    while (this.#waiting.size > 0 && !this.#stopped) {
      await this.#gather()
      const began = performance.now()
      const scopes = this.#next()
      const since = Math.min(...scopes.map((scope) => this.#waiting.get(scope) ?? began))
      this.#behind = began - since
      this.#rate += (scopes.length / (began - this.#began) - this.#rate) / 4
      this.#began = began
      for (const scope of scopes) this.#waiting.delete(scope)
      await this.#plan(scopes, since)
      this.#took = performance.now() - began
      // Whoever waited for the database has their turn.
      await new Promise((next) => setImmediate(next))
    }
    this.#running = null
  }

  /** What comes until then joins the next plan. */
  async #gather(): Promise<void> {
    const { engine, pressed } = this.#app
    const crowd = engine === 'sqlite' && this.#behind < BEHIND_MS && pressed()
    const apart = Math.max(this.#rate < GATHER_FROM ? 0 : GATHER_MS, crowd ? 2 * this.#took : 0)
    const left = this.#began + apart - performance.now()
    if (left > 0) await sleep(left)
  }

  async #plan(scopes: readonly Scope[], since: number): Promise<void> {
    try {
      const { unseen, more, due } = await planScopes(this.#app, scopes, this.#carried)
      if (unseen.length > 0) this.#first(unseen, since)
      for (const scope of more) if (!this.#waiting.has(scope)) this.#waiting.set(scope, since)
      if (due.size > 0) this.#planned(due)
    } catch (error) {
      // The events stay where they are: the next sweep finds them behind. One that cannot be planned holds up nobody else.
      this.#app.log.error({ err: error, scopes }, 'notify: plan failed')
      const [scope] = scopes
      if (scopes.length > 1) for (const one of scopes) await this.#plan([one], since)
      else if (scope !== undefined && !isStorage(error)) await this.#stuck(scope)
    }
  }

  /** Whose turn it is: as many scopes as have enough for a transaction, so that what is asked of each is shared by more news. */
  #next(): Scope[] {
    const scopes: Scope[] = []
    let events = 0
    for (const scope of this.#waiting.keys()) {
      scopes.push(scope)
      events += this.#carried.heard.count(scope) || ROWS_LEAST
      if (scopes.length === SCOPES_AT_ONCE || events >= this.#carried.room * EVENTS_OF_A_NEWS) break
    }
    return scopes
  }

  /** They found no room, and come before all others. */
  #first(scopes: readonly Scope[], since: number): void {
    const others = [...this.#waiting]
    this.#waiting.clear()
    for (const scope of scopes) this.#waiting.set(scope, since)
    for (const [other, at] of others) if (!this.#waiting.has(other)) this.#waiting.set(other, at)
  }

  /** It fails by itself: after some sweeps the event that does is passed over, so that what comes after it is told. */
  async #stuck(scope: Scope): Promise<void> {
    const times = (this.#failed.get(scope) ?? 0) + 1
    this.#failed.set(scope, times)
    if (times < GIVE_UP_AFTER) return
    try {
      for (const due of await planOneByOne(this.#app, scope)) this.#planned(due)
      this.#failed.delete(scope)
      this.#waiting.set(scope, performance.now())
    } catch (error) {
      this.#app.log.error({ err: error, scope }, 'notify: cannot pass over an event')
    }
  }
}

/** Plans one event after the other up to the one that cannot be planned, and passes that one over. */
async function planOneByOne(app: App, scope: Scope): Promise<ReadonlySet<ChannelId>[]> {
  const due: ReadonlySet<ChannelId>[] = []
  const alone: Carried = { halfway: new Map(), heard: new Heard(), sums: new KeptSums(), room: NEWS_LEAST }
  for (;;) {
    try {
      const planned = await planScopes(app, [scope], alone, 1, 1)
      due.push(planned.due)
      if (planned.more.length === 0) return due
    } catch (error) {
      if (isStorage(error)) throw error
      await skipEvent(app, scope, error)
      return due
    }
  }
}

async function skipEvent(app: App, scope: Scope, error: unknown): Promise<void> {
  await inTransaction(app, async (tx) => {
    const [[, seq = 0] = []] = await takeCursors(app, tx, [scope])
    const next = await nextNumber(tx.db, scope, seq)
    if (next === null) return
    app.log.error({ err: error, scope, seq: next }, 'notify: an event is told to nobody')
    await tx.db.updateTable('notify_cursors').set({ seq: next }).where('scope', '=', scope).execute()
  })
}

/** Scopes with events that nobody has planned, of those touched since a minute, the longest ago first. */
async function scopesBehind({ db }: Pick<App, 'db'>, since: number) {
  const { rows } = await sql<{ scope: Scope; touched: number }>`
    select c.scope, c.touched from counters as c left join notify_cursors as n on n.scope = c.scope
    where c.touched >= ${since} and c.seq > coalesce(n.seq, 0) order by c.touched limit 500`.execute(db)
  return rows
}

/** Where the planning of a scope stopped in the middle of an event; only a hint: who was told is not told again without it. */
interface Halfway {
  readonly seq: number
  readonly after: string
}

/** What one plan leaves to the next. */
interface Carried {
  readonly halfway: Map<Scope, Halfway>
  readonly heard: Heard
  readonly sums: KeptSums
  /** How much news fits into a transaction, by what the last ones took. */
  room: number
}

const CURSORS = bulkUpdate('notify_cursors', { scope: 'text', seq: 'bigint' }, { id: 'scope', key: 'scope' })

/**
 * Plans the next events of each scope in one transaction: `most` news, or what fits into its time. Gives the scopes it did not come to,
 * those that may have more, and the channels with something due.
 */
async function planScopes(
  app: App,
  scopes: readonly Scope[],
  carried: Carried,
  most = carried.room,
  at_once = PAGE,
): Promise<{ unseen: Scope[]; more: Scope[]; due: Set<ChannelId> }> {
  const { halfway, heard, sums } = carried
  // Whoever has much that waits leaves room for the others of the transaction; who found none comes first in the next.
  const share = Math.ceil(most / scopes.length)
  const rows = Math.min(at_once, Math.max(ROWS_LEAST, share * 4))
  const stops = new Map<Scope, Halfway | null>()
  const done = new Map<Scope, number>()
  const began = performance.now()
  let turn = began
  const planned = await inTransaction(app, async (tx) => {
    stops.clear()
    done.clear()
    const day = today(app)
    const pages = new Map<Scope, Page>()
    const cursors = await takeCursors(app, tx, scopes)
    for (const [scope, seq] of cursors)
      pages.set(
        scope,
        heard.after(scope, seq, rows) ?? (await eventsAfter(tx.db, scope, seq, { most: rows, news: true })),
      )
    const audienceOf = await audiences(tx.db, day, strategiesOf(pages.values()))
    const totalOf = totals(tx.db, sums, heard.records(scopes))
    const [unseen, more]: [Scope[], Scope[]] = [[], []]
    const news: News[] = []
    for (const [scope, seq] of cursors) {
      const page = pages.get(scope)
      if (!page || page.last === null) continue
      if (news.length >= most) {
        unseen.push(scope)
        continue
      }
      const own_most = news.length + share
      let [last, stop]: [number, Halfway | null] = [page.last, null]
      for (const [i, event] of page.events.entries()) {
        if (app.engine === 'postgres' && performance.now() - turn > TURN_MS) {
          await new Promise((next) => setImmediate(next))
          turn = performance.now()
        }
        const kept = halfway.get(scope)
        const after = kept?.seq === event.seq ? kept.after : ''
        const part = await newsOf(app, tx.db, event, { day, audienceOf, totalOf, after })
        news.push(...part.news)
        if (part.next !== null) stop = { seq: event.seq, after: part.next }
        else if (news.length < own_most || i === page.events.length - 1) continue
        last = stop === null ? event.seq : (page.events[i - 1]?.seq ?? seq)
        break
      }
      stops.set(scope, stop)
      if (last !== page.last || page.found === rows) more.push(scope)
      if (last !== seq) done.set(scope, last)
    }
    const moved = { bulk: CURSORS, rows: [...done].map(([scope, seq]) => ({ scope, seq })) }
    return { unseen, more, due: await enqueue(app, tx, news, [moved as unknown as Work]), count: news.length }
  })
  for (const [scope, seq] of done) heard.forget(scope, seq)
  for (const [scope, stop] of stops)
    if (stop === null) halfway.delete(scope)
    else halfway.set(scope, stop)
  const took = performance.now() - began
  const may_take = app.engine === 'sqlite' && app.pressed() ? PLAN_IN_A_CROWD_MS : PLAN_MS[app.engine]
  // What was few says little of what many would take.
  if (took > may_take || planned.count >= carried.room)
    carried.room = Math.min(NEWS_MOST, Math.max(NEWS_LEAST, Math.ceil((carried.room * may_take) / took)))
  return planned
}

/** Strategies that somebody may have to be told of. */
function strategiesOf(pages: Iterable<Page>): string[] {
  return [...pages].flatMap(({ events }) =>
    events.flatMap((event) =>
      event.kind === 'signal' || event.kind === 'signal-voided' ? event.data.strategy_id : [],
    ),
  )
}

/** Up to where each scope was planned, in the order given; nobody else plans them until the transaction ends. */
async function takeCursors(app: App, tx: Tx, scopes: readonly Scope[]): Promise<[Scope, number][]> {
  // Held in one order, so that two processes never wait for each other.
  const read = (some: readonly Scope[]) =>
    held(
      app,
      tx.db
        .selectFrom('notify_cursors')
        .select(['scope', 'seq'])
        .where('scope', 'in', [...some])
        .orderBy('scope'),
    ).execute()
  const rows = await read(scopes)
  const known = new Set(rows.map(({ scope }) => scope))
  const fresh = scopes.filter((scope) => !known.has(scope)).sort()
  if (fresh.length > 0) {
    await tx.db
      .insertInto('notify_cursors')
      .values(fresh.map((scope) => ({ scope, seq: 0 })))
      .onConflict((conflict) => conflict.column('scope').doNothing())
      .execute()
    rows.push(...(await read(fresh)))
  }
  const at = new Map(rows.map(({ scope, seq }) => [scope as Scope, Number(seq)]))
  return scopes.map((scope) => [scope, at.get(scope) ?? 0])
}
