// The strategy list in SQL: filters, search, order and page, the same on both engines.

import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { Statistics } from '#contract/statistics.ts'
import { byGroupName, type listStrategies, type StrategySection } from '#contract/strategy.ts'
import { kindsUnder } from '#trading/kinds.ts'
import { today } from '../access/membership.ts'
import { visibleStrategies } from '../access/strategies.ts'
import type { Actor, App } from '../context.ts'
import { nameKey } from '../db/query.ts'
import type { Db, Schema, StrategyRow } from '../db/schema.ts'
import { freshenOrder } from './figures.ts'
import { readStatistics } from './statistics.ts'
import { groupsOf } from './store.ts'

// A member's strategies under the groups they come through, as its list stands on the screen (docs/decisions/access.md).

const NONE = { id: '', name: '' }

/** `all` in the order that holds inside each group. */
async function underGroups(
  app: App,
  db: Db,
  actor: Actor,
  all: readonly StrategyRow[],
): Promise<{ rows: StrategyRow[]; sections: StrategySection[] }> {
  if (all.length === 0) return { rows: [], sections: [] }
  const ids = all.map(({ id }) => id)
  const groups = await groupsOf(db, actor, ids, today(app))
  const first = ({ id }: StrategyRow) => groups.get(id)?.[0] ?? NONE
  const by_id = Map.groupBy(all, (row) => first(row).id)
  const found = [...by_id].map(([id, rows]) => {
    const days = new Set(rows.map((row) => actor.access?.get(row.id)?.valid_until ?? null))
    const [valid_until] = days
    const { name } = first(rows[0] as StrategyRow)
    const section = { id, name, count: rows.length, ...(days.size === 1 && { valid_until }) }
    return { rows, section }
  })
  found.sort((a, b) => byGroupName(a.section, b.section))
  return { rows: found.flatMap(({ rows }) => rows), sections: found.map(({ section }) => section) }
}

type Query = ParsedInputOf<typeof listStrategies>
/** Orders that need every strategy's figures. */
const BY_FIGURE: ReadonlySet<Query['sort']> = new Set(['net_profit', 'win_rate', 'max_drawdown'])
type Strategies = SelectQueryBuilder<Schema, 'strategies', object>

export interface Listed {
  rows: StrategyRow[]
  total: number
  /** Many figures are behind, and are being worked out. */
  behind?: boolean
  sections?: StrategySection[]
}

/** One page of what the actor sees, and how many there are. Archived ones only when asked for. */
export async function listRows(app: App, db: Db, actor: Actor, query: Query): Promise<Listed> {
  const found = filtered(visibleStrategies(db, actor), query)
  const own = BY_FIGURE.has(query.sort) && actor.access !== null && !actor.membership?.shares
  const behind = BY_FIGURE.has(query.sort) && !own && (await freshenOrder(app, db, actor))
  const first = (query.page - 1) * query.page_size
  if (own || (query.grouped && actor.access !== null)) {
    // A member was given its strategies one by one: there are not many.
    const all = own
      ? await byOwnFigures(app, db, actor, query, found)
      : await ordered(app, query, found).execute()
    const { rows, sections } = query.grouped ? await underGroups(app, db, actor, all) : { rows: all }
    return {
      rows: rows.slice(first, first + query.page_size),
      total: rows.length,
      behind,
      ...(sections && { sections }),
    }
  }
  const { total } = await found.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow()
  const page = ordered(app, query, found).limit(query.page_size).offset(first)
  return { rows: await page.execute(), total: Number(total), behind }
}

function ordered(app: App, { sort }: Query, found: Strategies) {
  let all = found
    .leftJoin('snapshots as folds', (join) =>
      join.onRef('folds.strategy_id', '=', 'strategies.id').on('folds.kind', '=', 'head'),
    )
    .leftJoin('snapshots as figures', (join) =>
      join.onRef('figures.strategy_id', '=', 'strategies.id').on('figures.kind', '=', 'figures'),
    )
    .selectAll('strategies')
  for (const term of order(app.engine, sort)) all = all.orderBy(term)
  return all
}

/**
 * For a member who is not shown the figures of the whole record: their order would tell of them, so its own decide, those it is
 * shown (ruling A11).
 */
async function byOwnFigures(
  app: App,
  db: Db,
  actor: Actor,
  query: Query,
  found: Strategies,
): Promise<StrategyRow[]> {
  const newest = found.selectAll('strategies').orderBy('created_at', 'desc').orderBy('id', 'desc')
  const placed: { row: StrategyRow; place: number }[] = []
  for (const row of await newest.execute()) {
    const { summary } = await readStatistics(app, db, actor, row, {})
    placed.push({ row, place: placeOf(summary, query.sort) })
  }
  return placed.sort((a, b) => a.place - b.place).map(({ row }) => row)
}

/** Smallest first; without a win rate last. */
function placeOf(
  {
    net_profit,
    win_rate,
    max_drawdown,
  }: Pick<Statistics['summary'], 'net_profit' | 'win_rate' | 'max_drawdown'>,
  sort: Query['sort'],
): number {
  if (sort === 'max_drawdown') return max_drawdown
  if (sort === 'win_rate') return win_rate === null ? 1 : -win_rate
  return -net_profit
}

function filtered(start: Strategies, query: Query): Strategies {
  let found = start
  if (query.kind !== undefined) found = found.where('strategies.kind', 'in', kindsUnder(query.kind))
  if (query.status === undefined) found = found.where('strategies.status', '!=', 'archived')
  else found = found.where('strategies.status', '=', query.status)
  if (query.direction !== undefined) found = found.where('strategies.direction', '=', query.direction)
  // replace() compares letter by letter on both engines, where LIKE on SQLite does not tell A from a.
  if (query.tag !== undefined)
    found = found.where(sql<boolean>`replace(tags, ${JSON.stringify(query.tag)}, '') <> tags`)
  const search = nameKey(query.search?.trim() ?? '')
  if (search !== '') found = found.where(sql<boolean>`search_key like ${pattern(search)} escape '!'`)
  return found
}

/** A LIKE pattern for a text anywhere; its own wildcards mean themselves. */
function pattern(text: string): string {
  return `%${text.replace(/[!%_]/g, '!$&')}%`
}

/** Nulls last and id at the end: engines differ in where nulls stand, and a page must not repeat a row. */
function order(engine: App['engine'], sort: Query['sort']): RawBuilder<unknown>[] {
  const by_name = engine === 'postgres' ? sql`strategies.name_key collate "C"` : sql`strategies.name_key`
  const newest = [sql`strategies.created_at desc`, sql`strategies.id desc`]
  switch (sort) {
    case 'name':
      return [by_name, ...newest]
    case 'created':
      return newest
    case 'last_signal':
      return [
        sql`case when folds.last_occurred_at is null then 1 else 0 end`,
        sql`folds.last_occurred_at desc`,
        ...newest,
      ]
    case 'win_rate':
      return [
        sql`case when figures.win_rate is null then 1 else 0 end`,
        sql`figures.win_rate desc`,
        ...newest,
      ]
    case 'net_profit':
      return [sql`coalesce(figures.net_profit, 0) desc`, ...newest]
    case 'max_drawdown':
      // Smallest first: the calmest strategy leads.
      return [sql`coalesce(figures.max_drawdown, 0)`, ...newest]
  }
}
