// Reads the events by a cursor of its own and plans who is told what: never called by the intake, each event once (docs/decisions/059).
import { sql } from 'kysely'
import type { ChannelId } from '#contract/channels.ts'
import type { EventKind, Scope } from '#contract/events.ts'
import { today } from '../access/membership.ts'
import type { App, Tx } from '../context.ts'
import { held } from '../db/held.ts'
import { inTransaction } from '../events/transaction.ts'
import { eventsAfter, PAGE } from '../stream/read.ts'
import { newsOf } from './news.ts'
import { tell } from './tell.ts'

/** Kinds that are news to somebody; others do not wake the planner. */
const WAKING: ReadonlySet<EventKind> = new Set<EventKind>([
  'signal',
  'signal-voided',
  'delivery',
  'membership',
  'context-revoked',
])
/** What another process left behind when it was killed is found so soon. */
const SWEEP_MS = 5_000
const SCOPES_AT_ONCE = 20
/** While signals are being stored the plans wait so long for each other: the intake keeps its rate. */
const BUSY_PAUSE_MS = 50

export class Planner {
  readonly #app: App
  readonly #planned: (channels: ReadonlySet<ChannelId>) => void
  readonly #waiting = new Set<Scope>()
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
      // Every accepted message is told as a delivery too: only a refused one is news.
      for (const { kind, scope, data } of events)
        if (WAKING.has(kind) && (kind !== 'delivery' || data.outcome === 'rejected')) this.#waiting.add(scope)
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
      for (const scope of await behind(this.#app)) this.#waiting.add(scope)
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
      const scopes = [...this.#waiting].slice(0, SCOPES_AT_ONCE)
      for (const scope of scopes) this.#waiting.delete(scope)
      try {
        const { more, due } = await planScopes(this.#app, scopes)
        for (const scope of more) this.#waiting.add(scope)
        if (due.size > 0) this.#planned(due)
      } catch (error) {
        // The events stay where they are: the next sweep finds them behind.
        this.#app.log.error({ err: error, scopes }, 'notify: plan failed')
      }
      if (this.#app.intake.busy) await new Promise((next) => setTimeout(next, BUSY_PAUSE_MS))
    }
    this.#running = null
  }
}

/** Scopes with events that nobody has planned. */
async function behind(app: Pick<App, 'db'>): Promise<Scope[]> {
  const { rows } = await sql<{ scope: Scope }>`
    select c.scope from counters as c left join notify_cursors as n on n.scope = c.scope
    where c.seq > coalesce(n.seq, 0) limit 500`.execute(app.db)
  return rows.map(({ scope }) => scope)
}

/** Plans the next events of each scope in one transaction. Gives the scopes that may have more, and the channels with something due. */
async function planScopes(
  app: App,
  scopes: readonly Scope[],
): Promise<{ more: Scope[]; due: Set<ChannelId> }> {
  return inTransaction(app, async (tx) => {
    const day = today(app)
    const more: Scope[] = []
    const news = []
    for (const scope of [...scopes].sort()) {
      const seq = await takeCursor(app, tx, scope)
      const page = await eventsAfter(tx.db, scope, seq)
      if (page.last === null) continue
      if (page.found === PAGE) more.push(scope)
      for (const event of page.events) news.push(...(await newsOf(app, tx.db, event, day)))
      await tx.db.updateTable('notify_cursors').set({ seq: page.last }).where('scope', '=', scope).execute()
    }
    return { more, due: await tell(app, tx, news) }
  })
}

/** Up to where the scope was planned; nobody else plans it until the transaction ends. */
async function takeCursor(app: App, tx: Tx, scope: Scope): Promise<number> {
  await tx.db
    .insertInto('notify_cursors')
    .values({ scope, seq: 0 })
    .onConflict((conflict) => conflict.column('scope').doNothing())
    .execute()
  const query = tx.db.selectFrom('notify_cursors').select('seq').where('scope', '=', scope)
  return Number((await held(app, query).executeTakeFirstOrThrow()).seq)
}
