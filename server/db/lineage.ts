// Which past of the database a number was given in. Every start writes down an id and where each scope stands; cursors name the
// newest id they were given under. A copy put back does not know what was given after it was made (docs/decisions/databases.md).

import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Scope } from '#contract/events.ts'
import { isPostgres } from './bulk.ts'
import type { Condition } from './condition.ts'
import { takeTurn } from './query.ts'
import type { Db, Schema } from './schema.ts'

// What the database knows about itself: rows of the table `ground`, which belong to this very database and never to a copy of it.

/** Which of its pasts this database lives in: made with it, and anew when a copy is restored. Cursors carry it. */
export async function readEpoch(db: Db): Promise<string> {
  const { value } = await db
    .selectFrom('ground')
    .select('value')
    .where('name', '=', 'epoch')
    .executeTakeFirstOrThrow()
  return value
}

/** Starts that are remembered: whoever was away for longer reads everything anew. */
const KEPT = 2_000

export class Lineage {
  /** The database's own, of before starts were written down. */
  readonly epoch: string
  /** What our keys are known by. */
  keys: KeyMarks = {}
  #id: string

  constructor(epoch: string, id: string) {
    this.epoch = epoch
    this.#id = id
  }

  /** The newest start that is known here: goes into every cursor. */
  get id(): string {
    return this.#id
  }

  /** Up to which number of each scope a cursor given under this id holds; null = given in another past, nothing of it does. */
  async holdsUpTo(db: Db, given: string, scopes: readonly Scope[]): Promise<Map<Scope, number> | null> {
    const now = await heads(db, scopes)
    if (given === this.#id) return now
    const no = given === this.epoch ? 0 : await numberOf(db, given)
    if (no === null) return null
    const { end } = await db
      .selectFrom('lineage')
      .select((eb) => eb.fn.min('no').as('end'))
      .where('no', '>', no)
      .where('alone', '=', 1)
      .executeTakeFirstOrThrow()
    // Whoever gave it may be at work still.
    if (end === null) return now
    const rows = await db
      .selectFrom('lineage_heads')
      .select((eb) => ['scope', eb.fn.max('seq').as('seq')])
      .where('scope', 'in', [...scopes])
      .where('no', '<=', end)
      .groupBy('scope')
      .execute()
    const then = new Map(rows.map(({ scope, seq }) => [scope, seq]))
    return new Map(scopes.map((scope) => [scope, then.get(scope) ?? 0]))
  }

  /** Takes the newest start of any process for the cursors from now on; false when our own is not in this database. */
  async follow(db: Db): Promise<boolean> {
    if ((await numberOf(db, this.#id)) === null) return false
    const newest = db.selectFrom('lineage').select('id').orderBy('no', 'desc').limit(1)
    this.#id = (await newest.executeTakeFirstOrThrow()).id
    return true
  }
}

/** Writes this start down, before anybody is given a number. */
export async function beginLineage(db: Kysely<Schema>, now: number): Promise<Lineage> {
  const epoch = await readEpoch(db)
  const id = randomUUID()
  await db.transaction().execute(async (tx) => {
    await takeTurn(tx, 'lineage')
    const last = await tx
      .selectFrom('lineage')
      .select((eb) => eb.fn.max('no').as('no'))
      .executeTakeFirst()
    const no = (last?.no ?? 0) + 1
    const alone = await isAlone(tx)
    await tx
      .insertInto('lineage')
      .values({ no, id, begun_at: new Date(now).toISOString(), alone: alone ? 1 : 0 })
      .execute()
    if (alone) await writeHeads(tx, no)
    await forget(tx, no - KEPT)
  })
  return new Lineage(epoch, id)
}

/** The last number given out in each scope (0 = none yet). */
export async function heads(db: Db, scopes: readonly Scope[]): Promise<Map<Scope, number>> {
  if (scopes.length === 0) return new Map()
  const rows = await db
    .selectFrom('counters')
    .selectAll()
    .where('scope', 'in', [...scopes])
    .execute()
  const known = new Map(rows.map(({ scope, seq }) => [scope, seq]))
  return new Map(scopes.map((scope) => [scope, known.get(scope) ?? 0]))
}

async function numberOf(db: Db, id: string): Promise<number | null> {
  const row = await db.selectFrom('lineage').select('no').where('id', '=', id).executeTakeFirst()
  return row?.no ?? null
}

/**
 * Processes on one database have the same keys, or each throws out whom another let in, at random and in silence: a start beside one
 * with others is refused. Kept is what the keys are known by, never a key; who comes alone may bring new ones, and is told which are.
 */
export async function agreeOnKeys(
  db: Kysely<Schema>,
  lineage: Lineage,
  marks: KeyMarks,
  tell: (line: string) => void,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await takeTurn(tx, 'lineage')
    const [alone, theirs] = [await isAlone(tx), await keyMarks(tx)]
    const others = differing(theirs, marks)
    if (others.length > 0 && !alone) throw new Error(otherKeys(others.join('、')))
    if (others.length > 0) tell(newKeys(others.join('、')))
    const value = JSON.stringify(alone ? marks : { ...theirs, ...marks })
    await tx
      .insertInto('ground')
      .values({ name: KEY_MARKS, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()
  })
  lineage.keys = marks
}

/** By name of the file: what a key is known by. A part that only one of two processes has is no difference. */
type KeyMarks = Readonly<Record<string, string>>

const KEY_MARKS = 'keys'
const differing = (some: KeyMarks, others: KeyMarks) =>
  Object.keys(some).filter((name) => others[name] !== undefined && others[name] !== some[name])
const otherKeys = (which: string) =>
  `這個資料庫正由另一個凌波行程使用，金鑰和這裡的不同（${which}），兩邊一起跑會有人隨機被登出。請讓每台機器的 DATA_DIR/keys 相同，或設定同一個 KEYS 與 VAPID_*，再啟動`

const newKeys = (which: string) =>
  `金鑰和這個資料庫上次用的不同（${which}）。若不是有意換的，請立刻停下來，改回原來的 KEYS、VAPID_* 或 DATA_DIR/keys 再啟動：jwt.key 不同，每個人都要重新登入；data.key 不同，封存過的 webhook 網址與通知通道都打不開；vapid.json 不同，每台裝置都要重新開啟推播`

/** Where keys are there already, the database that they belong to may be another one: an empty one is begun, and said so. */
export const EMPTY =
  '資料庫是空的，從頭開始。若這些金鑰原本有資料，請停下來，檢查 DATABASE_URL 或 DATA_DIR，或從備份還原（npm run restore）'

async function keyMarks(db: Db): Promise<KeyMarks> {
  const row = await db.selectFrom('ground').select('value').where('name', '=', KEY_MARKS).executeTakeFirst()
  return row ? (JSON.parse(row.value) as KeyMarks) : {}
}

/** Another process that works on this very database keeps its past going: what it gives stays good, whatever stood here when we came. */
async function isAlone(db: Db): Promise<boolean> {
  if (!isPostgres(db)) return true
  // Every server at work listens to the others by one such connection; ours is not open yet.
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and application_name = 'lingbo-relay' limit 1`.execute(db)
  return rows.length === 0
}

/** Numbers only grow: those that have since an earlier start wrote them down are all there is to add. */
async function writeHeads(db: Db, no: number): Promise<void> {
  await sql`insert into lineage_heads (scope, no, seq)
    select c.scope, cast(${no} as integer), c.seq from counters as c
    left join (select scope, max(seq) as seq from lineage_heads group by scope) as h on h.scope = c.scope
    where h.seq is null or c.seq > h.seq`.execute(db)
}

/** Starts up to `no`; of each scope one number stays, which the starts after them count from. */
async function forget(db: Db, no: number): Promise<void> {
  if (no < 1) return
  await db.deleteFrom('lineage').where('no', '<=', no).execute()
  await sql`delete from lineage_heads where no <= ${no} and exists (
    select 1 from lineage_heads as later
    where later.scope = lineage_heads.scope and later.no > lineage_heads.no and later.no <= ${no})`.execute(
    db,
  )
}

// Several processes on one PostgreSQL, and a database that somebody replaced under them: whose past it is is looked at now and then.

const EVERY_MS = 5_000

/** Looks until the returned function is called. */
export function watchLineage(
  db: Kysely<Schema>,
  lineage: Lineage,
  { condition, log }: { condition: Condition; log: Logger },
): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  async function look(): Promise<void> {
    // A copy of before our start has the same epoch, and does not know of us.
    if ((await readEpoch(db)) !== lineage.epoch || !(await lineage.follow(db)))
      condition.moved('DATABASE_URL 的資料庫被換成另一份（例如還原了備份）。請重新啟動伺服器')
    // Two that started in the same moment took each other for nobody.
    else if (differing(await keyMarks(db), lineage.keys).length > 0)
      condition.moved('另一個凌波行程以不同的金鑰開了同一個資料庫。請讓每台機器的金鑰相同，再重新啟動伺服器')
  }
  const timer = setInterval(() => {
    running = look().catch((error: unknown) => log.warn({ err: error }, 'epoch not read'))
  }, EVERY_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    return running
  }
}
