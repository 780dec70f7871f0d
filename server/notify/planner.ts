// Reads the events by a cursor of its own and plans who is told what: never called by the intake, each event once (docs/decisions/notifications.md).
import { sql } from 'kysely'
import type { ChannelId } from '#contract/channels.ts'
import type { AppEvent, EventData, EventKind, Scope } from '#contract/events.ts'
import { today } from '../access/membership.ts'
import type { App, Tx } from '../context.ts'
import { isStorage } from '../db/condition.ts'
import { held } from '../db/query.ts'
import { inTransaction } from '../events/append.ts'
import { yieldToIntake } from '../limits/rate.ts'
import { eventsAfter, PAGE } from '../stream/read.ts'
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
const SCOPES_AT_ONCE = 20
/** So often an event is tried before nobody is told of it. */
const GIVE_UP_AFTER = 5
/** News of one transaction, and those of the parts that reached it: nobody else writes meanwhile. */
const NEWS_AT_ONCE = 50
/** While signals crowd at the intake: so few that it does not stand, and that the rest behind them is no longer than one may be. */
const NEWS_IN_A_CROWD = 15
/** Most events are news to nobody: so many are read of a scope, however small its share. */
const ROWS_LEAST = 20

export class Planner {
  readonly #app: App
  readonly #planned: (channels: ReadonlySet<ChannelId>) => void
  readonly #waiting = new Set<Scope>()
  readonly #halfway = new Map<Scope, Halfway>()
  readonly #sums = new KeptSums()
  /** How often a scope could not be planned, by no fault of the storage. */
  readonly #failed = new Map<Scope, number>()
  #running: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined
  #unwatch: () => void = () => undefined
  #stopped = false

  /** `planned` hears which channels have something to send now. */
  constructor(app: App, planned: (channels: ReadonlySet<ChannelId>) => void) {
    this.#app = app
    this.#planned = planned
  }

  start(): void {
    this.#unwatch = this.#app.events.watch((events) => {
      for (const event of events) if (isUrgent(event)) this.#waiting.add(event.scope)
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
      for (const scope of await scopesBehind(this.#app)) this.#waiting.add(scope)
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
      const began = performance.now()
      const scopes = [...this.#waiting].slice(0, SCOPES_AT_ONCE)
      for (const scope of scopes) this.#waiting.delete(scope)
      await this.#plan(scopes)
      // Whoever waited for the database has their turn.
      await new Promise((next) => setImmediate(next))
      await yieldToIntake(this.#app, began)
    }
    this.#running = null
  }

  async #plan(scopes: readonly Scope[]): Promise<void> {
    try {
      const { more, due } = await planScopes(this.#app, scopes, { halfway: this.#halfway, sums: this.#sums })
      for (const scope of more) this.#waiting.add(scope)
      if (due.size > 0) this.#planned(due)
    } catch (error) {
      // The events stay where they are: the next sweep finds them behind. One that cannot be planned holds up nobody else.
      this.#app.log.error({ err: error, scopes }, 'notify: plan failed')
      const [scope] = scopes
      if (scopes.length > 1) for (const one of scopes) await this.#plan([one])
      else if (scope !== undefined && !isStorage(error)) await this.#stuck(scope)
    }
  }

  /** It fails by itself: after some sweeps the event that does is passed over, so that what comes after it is told. */
  async #stuck(scope: Scope): Promise<void> {
    const times = (this.#failed.get(scope) ?? 0) + 1
    this.#failed.set(scope, times)
    if (times < GIVE_UP_AFTER) return
    try {
      for (const due of await planOneByOne(this.#app, scope)) this.#planned(due)
      this.#failed.delete(scope)
      this.#waiting.add(scope)
    } catch (error) {
      this.#app.log.error({ err: error, scope }, 'notify: cannot pass over an event')
    }
  }
}

/** Plans one event after the other up to the one that cannot be planned, and passes that one over. */
async function planOneByOne(app: App, scope: Scope): Promise<ReadonlySet<ChannelId>[]> {
  const due: ReadonlySet<ChannelId>[] = []
  const halfway = new Map<Scope, Halfway>()
  for (;;) {
    try {
      const planned = await planScopes(app, [scope], { halfway, sums: new KeptSums() }, 1)
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
    const seq = await takeCursor(app, tx, scope)
    const next = await tx.db
      .selectFrom('events')
      .select(['seq', 'kind'])
      .where('scope', '=', scope)
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst()
    if (!next) return
    app.log.error({ err: error, scope, seq: next.seq, kind: next.kind }, 'notify: an event is told to nobody')
    const columns = { seq: Number(next.seq) }
    await tx.db.updateTable('notify_cursors').set(columns).where('scope', '=', scope).execute()
  })
}

/** Scopes with events that nobody has planned. */
async function scopesBehind(app: Pick<App, 'db'>): Promise<Scope[]> {
  const { rows } = await sql<{ scope: Scope }>`
    select c.scope from counters as c left join notify_cursors as n on n.scope = c.scope
    where c.seq > coalesce(n.seq, 0) limit 500`.execute(app.db)
  return rows.map(({ scope }) => scope)
}

/** Where the planning of a scope stopped in the middle of an event; only a hint: who was told is not told again without it. */
interface Halfway {
  readonly seq: number
  readonly after: string
}

/** What one plan leaves to the next. */
interface Carried {
  readonly halfway: Map<Scope, Halfway>
  readonly sums: KeptSums
}

/** Plans the next events of each scope in one transaction. Gives the scopes that may have more, the ones it did not come to first, and the channels with something due. */
async function planScopes(
  app: App,
  scopes: readonly Scope[],
  { halfway, sums }: Carried,
  at_once = PAGE,
): Promise<{ more: Scope[]; due: Set<ChannelId> }> {
  const room = app.pressed() ? NEWS_IN_A_CROWD : NEWS_AT_ONCE
  // Whoever has much that waits leaves room for the others of the transaction; who found none comes first in the next.
  const share = Math.ceil(room / scopes.length)
  const rows = Math.min(at_once, Math.max(ROWS_LEAST, share * 4))
  const stops = new Map<Scope, Halfway | null>()
  const planned = await inTransaction(app, async (tx) => {
    const day = today(app)
    const [audienceOf, totalOf] = [audiences(tx.db, day), totals(tx.db, sums)]
    const [unseen, more]: [Scope[], Scope[]] = [[], []]
    const news: News[] = []
    for (const [scope, seq] of await takeCursors(app, tx, scopes)) {
      if (news.length >= room) {
        unseen.push(scope)
        continue
      }
      const most = news.length + share
      const page = await eventsAfter(tx.db, scope, seq, { most: rows, news: true })
      if (page.last === null) continue
      let [done, stop]: [number, Halfway | null] = [page.last, null]
      for (const [i, event] of page.events.entries()) {
        const kept = halfway.get(scope)
        const after = kept?.seq === event.seq ? kept.after : ''
        const part = await newsOf(app, tx.db, event, { day, audienceOf, totalOf, after })
        news.push(...part.news)
        if (part.next !== null) stop = { seq: event.seq, after: part.next }
        else if (news.length < most || i === page.events.length - 1) continue
        done = stop === null ? event.seq : (page.events[i - 1]?.seq ?? seq)
        break
      }
      stops.set(scope, stop)
      if (done !== page.last || page.found === rows) more.push(scope)
      if (done !== seq)
        await tx.db.updateTable('notify_cursors').set({ seq: done }).where('scope', '=', scope).execute()
    }
    return { more: [...unseen, ...more], due: await enqueue(app, tx, news) }
  })
  for (const [scope, stop] of stops)
    if (stop === null) halfway.delete(scope)
    else halfway.set(scope, stop)
  return planned
}

/** The cursors of all of them, in the order given; taken in one order, so that two processes never wait for each other. */
async function takeCursors(app: App, tx: Tx, scopes: readonly Scope[]): Promise<[Scope, number][]> {
  const at = new Map<Scope, number>()
  for (const scope of [...scopes].sort()) at.set(scope, await takeCursor(app, tx, scope))
  return scopes.map((scope) => [scope, at.get(scope) ?? 0])
}

/** Up to where the scope was planned; nobody else plans it until the transaction ends. */
async function takeCursor(app: App, tx: Tx, scope: Scope): Promise<number> {
  const query = tx.db.selectFrom('notify_cursors').select('seq').where('scope', '=', scope)
  const kept = await held(app, query).executeTakeFirst()
  if (kept) return Number(kept.seq)
  await tx.db
    .insertInto('notify_cursors')
    .values({ scope, seq: 0 })
    .onConflict((conflict) => conflict.column('scope').doNothing())
    .execute()
  return Number((await held(app, query).executeTakeFirstOrThrow()).seq)
}
