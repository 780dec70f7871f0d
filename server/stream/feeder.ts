// Brings one reader every event of its scopes, in order, none missing and none twice (whatever the hub delivers, and when).
import type { AppEvent, Scope } from '#contract/events.ts'
import { type Hearing, scopesOf } from '../access/actor.ts'
import { today } from '../access/membership.ts'
import { seesRecord } from '../access/strategies.ts'
import type { App } from '../context.ts'
import { heads } from '../db/lineage.ts'
import { floorOf } from '../record/chain.ts'
import { mayBeRedacted, redactFor } from '../record/visibility.ts'
import { type Cursor, eventsAfter, type Given, PAGE, type Page } from './read.ts'

// What of an event somebody hears: those who may edit everything, a member what its groups give and nothing of how it came to be.

/** The event as the holder of this right hears it, null when it does not (rulings A9, A10, A12). */
export function heardBy({ edit, access }: Hearing, event: AppEvent): AppEvent | null {
  if (edit) return event
  switch (event.kind) {
    case 'signal':
    case 'signal-voided':
      return seesRecord(access, event.data.strategy_id, event.data.occurred_at) ? withoutSource(event) : null
    // That a strategy was taken away a member hears through its access: the records may stay (ruling C27).
    case 'strategy':
      return event.data.change !== 'deleted' && (access?.has(event.data.id) ?? true) ? event : null
    // Whether somebody is invited is the admins' business.
    case 'organization':
      return event.data.change === 'updated' ? event : null
    // Only that there is one: what it says is asked for, and given to those who may read it today. What still names its groups
    // was looked up, and is for none of this member's.
    case 'announcement':
      return event.data.change === 'drafted' || event.data.group_ids ? null : event
    // Of people, groups and messages its managers hear; a member hears what concerns it on `p:`.
    case 'delivery':
    case 'format':
    case 'silence':
    case 'membership':
    case 'context-revoked':
    case 'group':
    case 'profile':
    case 'setting':
    case 'notification':
    case 'notification-read':
    case 'telegram':
    case 'reset':
      return null
    default:
      return unheard(event)
  }
}

/** Refused by the compiler while a kind has no `case` in heardBy, with its name; one that is only stored is heard by nobody. */
function unheard(_event: never): null {
  return null
}

/** Whether what this reader hears of the event depends on what came before its first day, or on its groups: then it is looked up first. */
function asksBack(right: Hearing, event: AppEvent): boolean {
  if (right.access === null) return false
  if (event.kind === 'signal' || event.kind === 'signal-voided') return mayBeRedacted(right, event.data)
  if (event.kind === 'announcement') return event.data.group_ids !== undefined
  return event.kind === 'strategy' && event.data.from_chain_seq !== undefined
}

/** These events without what they tell of records from before the reader's first day (docs/decisions/access.md), and of other people's groups. */
async function withoutPast(
  app: Pick<App, 'db' | 'reads' | 'background' | 'fold_cache' | 'config' | 'log' | 'now'>,
  uid: string,
  right: Hearing,
  events: readonly AppEvent[],
): Promise<AppEvent[]> {
  const { access, shares } = right
  const records = events.flatMap((event) =>
    (event.kind === 'signal' || event.kind === 'signal-voided') && asksBack(right, event) ? event.data : [],
  )
  const db = await app.reads.of(uid)
  const redact = await redactFor(app, db, { uid, access, shares }, records)
  const own = await ownGroups(app, uid, events)
  const told: AppEvent[] = []
  for (const event of events) {
    if (!asksBack(right, event)) told.push(event)
    else if (event.kind === 'announcement') {
      const { group_ids, ...data } = event.data
      told.push(group_ids?.some((id) => own.has(id)) ? { ...event, data } : event)
    } else if (event.kind === 'strategy') {
      const floor = await floorOf(db, access, event.data.id)
      const from_chain_seq = Math.max(event.data.from_chain_seq ?? 1, floor + 1)
      told.push({ ...event, data: { ...event.data, from_chain_seq } })
    } else if (event.kind === 'signal' || event.kind === 'signal-voided')
      told.push({ ...event, data: redact(event.data) })
  }
  return told
}

/** Of the groups that these announcements speak to, those in which this person has a place today. */
async function ownGroups(
  app: Pick<App, 'db' | 'now'>,
  uid: string,
  events: readonly AppEvent[],
): Promise<ReadonlySet<string>> {
  const asked = events.flatMap((event) => (event.kind === 'announcement' ? (event.data.group_ids ?? []) : []))
  if (asked.length === 0) return new Set()
  const day = today(app)
  const rows = await app.db
    .selectFrom('group_members')
    .select('group_id')
    .where('user_id', '=', uid)
    .where('group_id', 'in', [...new Set(asked)])
    .where('starts_on', '<=', day)
    .where((eb) => eb.or([eb('ends_on', 'is', null), eb('ends_on', '>=', day)]))
    .execute()
  return new Set(rows.map(({ group_id }) => group_id))
}

/** The same for every member, so that it is written only once. */
const told = new WeakMap<AppEvent, AppEvent>()

/** Which delivery a record came from is for those who may edit (wire §6). */
function withoutSource(event: AppEvent & { kind: 'signal' | 'signal-voided' }): AppEvent {
  let twin = told.get(event)
  if (twin === undefined) {
    twin = { ...event, data: { ...event.data, delivery_id: null } }
    told.set(event, twin)
  }
  return twin
}

/** After these the reader's own scopes may be others. */
const CHANGES_SCOPES = new Set(['membership', 'context-revoked'])

/** Where the events go. `room` is false while the reader is behind; `drained` resolves when there is room again (or it is over). */
export interface Sink {
  send(event: AppEvent, cursor: Cursor): void
  room(): boolean
  drained(): Promise<void>
}

export class Feeder {
  readonly cursor: Cursor = new Map()
  readonly #app: App
  readonly #uid: string
  readonly #sink: Sink
  #scopes = new Map<Scope, Hearing>()
  /** Scopes whose rights just changed: silent until the new ones are read. */
  readonly #held = new Map<Scope, number>()
  #turn = 0
  #unsubscribe: () => void = () => undefined
  /** Scopes to be read from the table, and whether that runs. */
  readonly #behind = new Set<Scope>()
  #reads = false
  #reading: Promise<void> = Promise.resolve()
  #closed = false

  constructor(app: App, uid: string, sink: Sink) {
    this.#app = app
    this.#uid = uid
    this.#sink = sink
  }

  /** Hears first, then reads from the cursor (null = from now on), so that nothing falls in between. */
  async start(from: Given | null, lost: boolean): Promise<void> {
    const { db, lineage } = this.#app
    await this.refreshScopes()
    const scopes = [...this.#scopes.keys()]
    const now = await heads(db, scopes)
    // Without an epoch it was given before there were any, and is judged by its numbers alone.
    const holds = typeof from?.epoch === 'string' ? await lineage.holdsUpTo(db, from.epoch, scopes) : now
    const strange = lost || holds === null || (from !== null && !from.cursor.has(`p:${this.#uid}`))
    for (const [scope, head] of now) {
      const at = from?.cursor.get(scope)
      // What was given after the copy was made that now stands here is of another past.
      if (strange || (at !== undefined && at > (holds.get(scope) ?? 0))) this.#reset(scope, head)
      else this.cursor.set(scope, Math.max(at ?? head, this.cursor.get(scope) ?? 0))
      this.#behind.add(scope)
    }
    await this.#read()
    // Everything up to `now` was committed before the reading: what it did not bring is older than the table keeps.
    for (const [scope, head] of now) if ((this.cursor.get(scope) ?? head) < head) this.#reset(scope, head)
  }

  /** Takes the memberships of this moment; scopes that ended are silent from here on. */
  async refreshScopes(): Promise<void> {
    const turn = this.#turn
    const scopes = await scopesOf(this.#app, this.#uid)
    if (this.#closed) return
    // What was held after this reading began waits for the next one.
    for (const [scope, since] of this.#held)
      if (since <= turn) {
        this.#held.delete(scope)
        this.#behind.add(scope)
      }
    const fresh = [...scopes.keys()].filter((scope) => !this.#scopes.has(scope))
    const first = this.#scopes.size === 0
    this.#scopes = scopes
    for (const scope of [...this.cursor.keys()]) if (!scopes.has(scope)) this.cursor.delete(scope)
    this.#unsubscribe()
    this.#unsubscribe = this.#app.events.subscribe([...scopes.keys()], {
      onEvents: (events) => this.#hear(events),
      onHint: () => this.#noteFailure(this.catchUp()),
    })
    if (first || fresh.length === 0) return
    for (const [scope, head] of await heads(this.#app.db, fresh))
      if (!this.cursor.has(scope)) this.cursor.set(scope, head)
  }

  /** Reads all scopes from the table once: events of other processes, of which the hub says nothing. */
  async catchUp(): Promise<void> {
    for (const scope of this.#scopes.keys()) this.#behind.add(scope)
    await this.#read()
  }

  close(): void {
    this.#closed = true
    this.#unsubscribe()
  }

  #hear(events: readonly AppEvent[]): void {
    for (const event of events) {
      const { scope, seq } = event
      const last = this.cursor.get(scope)
      // While the table is read, after a gap, or when the reader is slow, the table is the truth: it has this event, too.
      if (
        last === undefined ||
        this.#held.has(scope) ||
        this.#behind.has(scope) ||
        seq > last + 1 ||
        !this.#sink.room() ||
        this.#asksBack(event)
      ) {
        this.#behind.add(scope)
        this.#noteFailure(this.#read())
        return
      }
      if (seq === last + 1) this.#pass(event)
    }
  }

  #noteFailure(reading: Promise<void>): void {
    reading.catch((error: unknown) => this.#app.log.error({ err: error }, 'event stream'))
  }

  #read(): Promise<void> {
    if (!this.#reads) this.#reading = this.#readAll()
    return this.#reading
  }

  /** Ends in the very turn in which nothing is behind any more: what is heard in the next one begins a new reading. */
  async #readAll(): Promise<void> {
    this.#reads = true
    try {
      for (
        let scope = first(this.#behind);
        scope !== undefined && !this.#closed;
        scope = first(this.#behind)
      ) {
        const from = this.cursor.get(scope)
        if (from === undefined || this.#held.has(scope) || !this.#scopes.has(scope)) {
          this.#behind.delete(scope)
          continue
        }
        if (!this.#sink.room()) {
          await this.#sink.drained()
          continue
        }
        // Readers that come back with old cursors take turns, page by page.
        const page = await this.#app.background.piece(this.#uid, () => this.#readPage(scope), 'stream')
        if (page) await this.#passPage(scope, page)
      }
    } finally {
      this.#reads = false
    }
  }

  async #readPage(scope: Scope): Promise<Page | null> {
    const from = this.cursor.get(scope)
    // While it waited for its turn the scope may have ended, or the reader gone.
    if (from === undefined || this.#closed || this.#held.has(scope)) return null
    // Removed before the query: what is committed from now on is heard again and read again.
    this.#behind.delete(scope)
    const db = await this.#app.reads.of(this.#uid)
    const page = await eventsAfter(db, scope, from)
    const { events, found } = page
    const next = events[0]?.seq ?? Number.POSITIVE_INFINITY
    if (found > 0 && next > from + 1) {
      // Numbers have no gaps: what is missing was older than the table keeps, or has been erased.
      const head = (await heads(db, [scope])).get(scope) ?? from
      this.#reset(scope, head)
      return null
    }
    return page
  }

  /** What this reader is told of a page is looked up outside of its turn: folding takes turns of its own. */
  async #passPage(scope: Scope, { events, found }: Page): Promise<void> {
    const right = this.#scopes.get(scope)
    const told = right && right.access !== null ? await this.#withoutPast(right, events) : events
    for (const event of told) {
      // The rights under which it was looked up, or read, are not those of now.
      if (!this.#sink.room() || this.#held.has(scope) || this.#scopes.get(scope) !== right) {
        this.#behind.add(scope)
        break
      }
      const last = this.cursor.get(scope) ?? event.seq
      if (event.seq === last + 1) this.#pass(event)
      // A gap in the middle: the next reading begins with it.
      else if (event.seq > last + 1) this.#behind.add(scope)
    }
    if (found === PAGE) this.#behind.add(scope)
  }

  #asksBack(event: AppEvent): boolean {
    const right = this.#scopes.get(event.scope)
    return right !== undefined && asksBack(right, event)
  }

  #withoutPast(right: Hearing, events: readonly AppEvent[]): Promise<AppEvent[]> {
    return withoutPast(this.#app, this.#uid, right, events)
  }

  #pass(event: AppEvent): void {
    if (this.#closed) return
    this.cursor.set(event.scope, event.seq)
    const right = this.#scopes.get(event.scope)
    if (!right) return
    if (CHANGES_SCOPES.has(event.kind) && event.scope.startsWith('p:')) this.#change(event)
    if (event.kind === 'organization' && right.access !== null) this.#hold(event.scope)
    // What another process did is read scope by scope: the organization's own may come before the person's.
    if (event.kind === 'membership' && event.data.user_id === this.#uid && event.scope.startsWith('o:'))
      this.#hold(event.scope)
    const heard = heardBy(right, event)
    if (heard) this.#sink.send(heard, this.cursor)
  }

  /** Nothing more of an organization goes out under rights that ended with this event. */
  #change(event: AppEvent): void {
    const scope: Scope = `o:${(event.data as { organization_id: string }).organization_id}`
    if (event.kind === 'context-revoked') this.#scopes.delete(scope)
    this.#hold(scope)
  }

  /** Silent until the rights of this moment are read. */
  #hold(scope: Scope): void {
    this.#held.set(scope, ++this.#turn)
    this.#noteFailure(this.refreshScopes().then(() => this.#read()))
  }

  #reset(scope: Scope, seq: number): void {
    this.cursor.set(scope, seq)
    const at = new Date(this.#app.now()).toISOString()
    this.#sink.send({ seq, scope, at, kind: 'reset', data: { scope } }, this.cursor)
  }
}

function first<T>(set: ReadonlySet<T>): T | undefined {
  return set.values().next().value
}
