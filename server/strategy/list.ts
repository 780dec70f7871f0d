// The strategy list in SQL: filters, search, order and page, the same on both engines.
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { ParsedInputOf } from '#contract/endpoint.ts'
import type { listStrategies } from '#contract/strategy.ts'
import type { Actor, App } from '../context.ts'
import type { Db, Schema, StrategyRow } from '../db/schema.ts'
import { nameKey } from './fields.ts'
import { freshenAll } from './figures.ts'
import { visibleStrategies } from './rules.ts'

type Query = ParsedInputOf<typeof listStrategies>
/** Orders that need every strategy's figures. */
const BY_FIGURE: ReadonlySet<Query['sort']> = new Set(['net_profit', 'win_rate', 'max_drawdown'])
type Strategies = SelectQueryBuilder<Schema, 'strategies', object>

/** One page of what the actor sees, and how many there are. Archived ones only when asked for. */
export async function listRows(
  app: App,
  db: Db,
  actor: Actor,
  query: Query,
): Promise<{ rows: StrategyRow[]; total: number }> {
  if (BY_FIGURE.has(query.sort)) await freshenAll(app, db, actor)
  const found = filtered(visibleStrategies(db, actor), query)
  const { total } = await found.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow()
  let page = found
    .leftJoin('strategy_folds as folds', 'folds.strategy_id', 'strategies.id')
    .leftJoin('strategy_figures as figures', 'figures.strategy_id', 'strategies.id')
    .selectAll('strategies')
    .limit(query.page_size)
    .offset((query.page - 1) * query.page_size)
  for (const term of order(app.engine, query.sort)) page = page.orderBy(term)
  return { rows: await page.execute(), total: Number(total) }
}

function filtered(start: Strategies, query: Query): Strategies {
  let found = start
  if (query.kind === 'stock') found = found.where('strategies.kind', 'in', ['stock', 'xq-stock'])
  else if (query.kind !== undefined) found = found.where('strategies.kind', '=', query.kind)
  if (query.status === undefined) found = found.where('strategies.status', '!=', 'archived')
  else found = found.where('strategies.status', '=', query.status)
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
