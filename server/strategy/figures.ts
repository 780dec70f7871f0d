// Summary and curve of a strategy, worked out when somebody looks, not with every signal.
import type { ExpressionBuilder } from 'kysely'
import type { Scope } from '#contract/events.ts'
import { visibleStrategies } from '../access/strategies.ts'
import type { Actor, App } from '../context.ts'
import { partsOf } from '../db/bulk.ts'
import { held } from '../db/query.ts'
import type { Db, Schema, SnapshotRow, StrategyRow } from '../db/schema.ts'
import { inTransaction } from '../events/append.ts'
import type { Job } from '../jobs/jobs.ts'
import { enqueue } from '../jobs/table.ts'
import { calendarKey, closedDays } from '../record/calendar.ts'
import { FOLD_AT_ONCE, figuresOf, oweFold, refold } from '../record/refold.ts'
import { writeFigures } from '../record/snapshots.ts'

/** What stands in the rows, and is not up to date. */
interface Stale {
  strategy_id: string
  /** The record and the closed days that the stored figures were worked out with. */
  chain_seq: number
  key: string
  /** The closed days that what the records derive to was made with. */
  folded: string
}

/** So many are brought up to date while somebody waits: some milliseconds each, twenty where nothing of it is in memory. */
const AT_ONCE = 8

/**
 * Brings the figures of these strategies up to their last record and to the closed days of today's calendar, where so few are behind
 * that it can be waited for; else a job does. Gives the ids of those that stay as they are until then.
 */
export async function freshenFigures(
  app: App,
  db: Db,
  actor: Pick<Actor, 'caller'>,
  rows: readonly StrategyRow[],
  at_once = AT_ONCE,
): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const by_id = new Map(rows.map((row) => [row.id, row]))
  const stale = await staleOf(app, db, [...by_id.keys()])
  if (stale.length > at_once) {
    await figuresSoon(app, db, (rows[0] as StrategyRow).scope)
    return new Set(stale.map(({ strategy_id }) => strategy_id))
  }
  const found: Figured[] = []
  for (const one of stale)
    found.push(await figured(app, db, actor, by_id.get(one.strategy_id) as StrategyRow, one))
  await writeAll(app, db, found)
  return new Set()
}

async function figuresSoon(app: App, db: Db, scope: string): Promise<void> {
  await enqueue(writing(app, db), { kind: 'figures', key: scope, owner: scope, data: null })
  app.jobs.wake('figures')
}

/**
 * Before a list is put in order by its figures. Where many are not up to date the order goes by what is stored, a job brings it up to
 * date: nobody waits for a thousand folds, nor beside them. True where it is so.
 */
export async function freshenOrder(app: App, db: Db, actor: Actor): Promise<boolean> {
  const stale = await staleAmong(app, visibleStrategies(db, actor), AT_ONCE + 1)
  const many = stale.length > AT_ONCE
  if (many) await figuresSoon(app, db, actor.scope)
  else await freshenFigures(app, db, actor, stale)
  return many
}

/** Brings the figures of all strategies of an owner up to date, one after the other, signals in between. */
export async function freshenOwner(app: App, job: Job<'figures'>): Promise<void> {
  const owner = { caller: job.owner, scope: job.owner, access: null } as const
  let last = ''
  while (!job.over) {
    const found = visibleStrategies(app.db, owner as Pick<Actor, 'scope' | 'access'>)
    const rows = await staleAmong(app, found.where('strategies.id', '>', last), AT_ONCE)
    for (const row of rows) {
      if (job.over) return
      await job.pause()
      await freshenFigures(app, app.db, owner, [row])
    }
    if (rows.length < AT_ONCE) return
    last = rows.at(-1)?.id ?? last
  }
}

/** Those of these whose figures are behind their records or the closed days, so many at most, by their ids. */
function staleAmong(
  app: App,
  found: ReturnType<typeof visibleStrategies>,
  most: number,
): Promise<StrategyRow[]> {
  const key = calendarKey(closedDays(app))
  return found
    .innerJoin('snapshots as figures', (join) =>
      join.onRef('figures.strategy_id', '=', 'strategies.id').on('figures.kind', '=', 'figures'),
    )
    .innerJoin('snapshots as folds', (join) =>
      join.onRef('folds.strategy_id', '=', 'strategies.id').on('folds.kind', '=', 'head'),
    )
    .selectAll('strategies')
    .where((eb) => isStale(eb, key))
    .orderBy('strategies.id')
    .limit(most)
    .execute()
}

async function staleOf(app: App, db: Db, ids: readonly string[]): Promise<Stale[]> {
  const key = calendarKey(closedDays(app))
  const stale: Stale[] = []
  for (const part of partsOf(ids)) {
    const some = await db
      .selectFrom('snapshots as figures')
      .innerJoin('snapshots as folds', (join) =>
        join.onRef('folds.strategy_id', '=', 'figures.strategy_id').on('folds.kind', '=', 'head'),
      )
      .select(['figures.strategy_id', 'figures.chain_seq', 'figures.key', 'folds.key as folded'])
      .where('figures.strategy_id', 'in', part)
      .where('figures.kind', '=', 'figures')
      .where((eb) => isStale(eb, key))
      .execute()
    stale.push(...some)
  }
  return stale
}

function isStale(
  eb: ExpressionBuilder<Schema & { figures: SnapshotRow; folds: SnapshotRow }, 'figures' | 'folds'>,
  key: string,
) {
  return eb.or([
    eb('figures.chain_seq', '<>', eb.ref('folds.chain_seq')),
    eb('figures.key', '<>', key),
    eb('folds.key', '<>', key),
  ])
}

/** What a reader finds to be written goes where it can be. */
const writing = (app: App, db: Db): Db => (db.isTransaction ? db : app.db)

/** What is to be written; null = somebody else does, or has. */
type Figured = { row: StrategyRow; stale: Stale; figures: Parameters<typeof writeFigures>[3] } | null

async function figured(
  app: App,
  db: Db,
  actor: Pick<Actor, 'caller'>,
  row: StrategyRow,
  stale: Stale,
): Promise<Figured> {
  const closed_days = closedDays(app)
  const calendar = calendarKey(closed_days)
  if (stale.folded !== calendar) {
    // Other closed days change what the records themselves derive to.
    await foldAgain(app, db, row, closed_days)
    return null
  }
  const { chain_seq, running, state } = await app.fold_cache.trades(app, db, row, closed_days, actor.caller)
  const figures = { ...figuresOf(running, state, row, closed_days), chain_seq, key: calendar }
  return { row, stale, figures }
}

/** All of them in one commit: each by itself would wait for the disk. */
async function writeAll(app: App, db: Db, all: readonly Figured[]): Promise<void> {
  const write = async (on: Db) => {
    for (const one of all) if (one) await writeFigures(on, one.row, one.stale, one.figures)
  }
  if (db.isTransaction || all.length < 2) await write(writing(app, db))
  else await app.db.transaction().execute(write)
}

/**
 * Folding reads all and then writes: a signal stored in between would be written over. So it runs in a transaction that
 * holds the strategy; a caller who brings one of its own holds it already. A long record is folded beside everything else:
 * until then its figures stand as they were.
 */
async function foldAgain(
  app: App,
  db: Db,
  row: StrategyRow,
  closed_days: ReadonlySet<string>,
): Promise<void> {
  if (row.chain_seq > FOLD_AT_ONCE) {
    await oweFold(writing(app, db), row)
    app.jobs.wake('refold')
    return
  }
  if (db.isTransaction) {
    await refold(db, row, closed_days)
    return
  }
  await inTransaction(app, async (tx) => {
    const query = tx.db.selectFrom('strategies').selectAll().where('id', '=', row.id)
    const now = await held(app, query).executeTakeFirst()
    if (!now) return
    const { changed_from } = await refold(tx.db, now, closed_days)
    if (changed_from !== null) {
      const change = { id: now.id, change: 'refolded', from_chain_seq: changed_from } as const
      await tx.append(now.scope as Scope, 'strategy', change)
    }
  })
}
