// The rules of a stock strategy as they are stored (個股訊號設定), and what they told: the intake and whoever tells people ask for them.
import type { StockSettingMatch } from '#contract/stock-signal-setting.ts'
import { instantOf, taipeiDay } from '#trading/calendar.ts'
import { UNIT_FACTS, unitOf } from '#trading/kinds.ts'
import type { Position } from '#trading/record.ts'
import {
  hasLimits,
  type RuledSignal,
  type RuleLimits,
  type RuleResult,
  type RulingCause,
  type StockRule,
  type ToldBefore,
} from '#trading/stock-rules.ts'
import { partsOf } from '../db/bulk.ts'
import { settingsOf } from '../db/query.ts'
import type { Db, StockPassRow, StockSettingRow, StrategyRow } from '../db/schema.ts'

const DAY_MS = 86_400_000

/** A stored rule as it decides. `row` its strategy. */
export function ruleOf(row: StrategyRow, setting: StockSettingRow): StockRule {
  const size = UNIT_FACTS[unitOf(settingsOf(row))].size
  const { id, name, quantity_override } = setting
  return {
    id,
    name,
    enabled: setting.enabled === 1,
    match: JSON.parse(setting.match) as StockSettingMatch,
    result: setting.result as RuleResult,
    limits: JSON.parse(setting.limits) as RuleLimits,
    quantity_override: quantity_override === null ? null : quantity_override * size,
  }
}

/** Enabled rules of these people for a strategy, in their order, by uid. */
export async function ownRulesOf(
  db: Db,
  row: StrategyRow,
  uids: readonly string[],
): Promise<Map<string, StockRule[]>> {
  const found = new Map<string, StockRule[]>()
  if (uids.length === 0) return found
  const settings = await enabled(db, [row.id]).where('uid', 'in', uids).execute()
  for (const [uid, own] of Map.groupBy(settings, (one) => one.uid as string))
    found.set(
      uid,
      own.map((one) => ruleOf(row, one)),
    )
  return found
}

const enabled = (db: Db, strategy_ids: readonly string[]) =>
  db
    .selectFrom('stock_signal_settings')
    .selectAll()
    .where('strategy_id', 'in', strategy_ids)
    .where('enabled', '=', 1)
    .orderBy('place')
    .orderBy('id')

/** Rules of strategies that receive signals, in memory: `rules_version` and `version` of the row say whether they are those of now. */
export class RulesKnown {
  readonly #known = new Map<string, { key: string; rules: readonly StockRule[] }>()
  #held = 0

  /** Enabled rules of the strategies that have any, in their order; no question where all are known. */
  async of(db: Db, rows: readonly StrategyRow[]): Promise<Map<string, readonly StockRule[]>> {
    const found = new Map<string, readonly StockRule[]>()
    const strange: StrategyRow[] = []
    for (const row of new Map(rows.map((row) => [row.id, row])).values()) {
      if (row.rules_version === 0) continue
      const known = this.#known.get(row.id)
      if (known?.key === keyOf(row)) found.set(row.id, known.rules)
      else strange.push(row)
    }
    if (strange.length > 0) {
      const settings = await enabled(
        db,
        strange.map(({ id }) => id),
      )
        .where('uid', 'is', null)
        .execute()
      const by_strategy = Map.groupBy(settings, ({ strategy_id }) => strategy_id)
      for (const row of strange) {
        const rules = (by_strategy.get(row.id) ?? []).map((one) => ruleOf(row, one))
        this.#keep(row, rules)
        found.set(row.id, rules)
      }
    }
    for (const [id, rules] of found) if (rules.length === 0) found.delete(id)
    return found
  }

  #keep(row: StrategyRow, rules: readonly StockRule[]): void {
    this.#drop(row.id)
    this.#known.set(row.id, { key: keyOf(row), rules })
    this.#held += sizeOf(rules)
    for (const id of this.#known.keys()) {
      if (this.#held <= KNOWN_MOST || id === row.id) return
      this.#drop(id)
    }
  }

  #drop(id: string): void {
    this.#held -= sizeOf(this.#known.get(id)?.rules ?? null)
    this.#known.delete(id)
  }
}
/** A strategy without rules takes a place, too; a rule of 400 codes is some 20 KB in memory. */
const KNOWN_MOST = 4_000
const sizeOf = (rules: readonly StockRule[] | null) => (rules === null ? 0 : 1 + rules.length)
const keyOf = ({ version, rules_version }: StrategyRow) => `${version} ${rules_version}`

/** What rules with limits told, counted up to an instant; what is told meanwhile is counted in. */
export class Passes {
  readonly #last = new Map<string, string>()
  readonly #today = new Map<string, number>()
  readonly #in_all = new Map<string, number>()
  readonly #added: StockPassRow[] = []

  /** Reads what is known of these symbols: as many rows as there are rules, symbols and actions, however much was told. */
  static async of(
    db: Db,
    rules: readonly StockRule[],
    symbols: readonly string[],
    at: string,
  ): Promise<Passes> {
    const passes = new Passes()
    const counted = rules.filter(hasLimits)
    if (counted.length === 0 || symbols.length === 0) return passes
    const midnight = instantOf(taipeiDay(at), '00:00')
    const rows = await db
      .selectFrom('stock_rule_passes')
      .select((eb) => [
        ...(['rule_id', 'symbol', 'action'] as const),
        eb.fn.max('at').as('last_at'),
        eb.fn.sum<number | string>(eb.case().when('at', '>=', midnight).then(1).else(0).end()).as('today'),
      ])
      .where(
        'rule_id',
        'in',
        counted.map(({ id }) => id),
      )
      .where('symbol', 'in', [...new Set(symbols)])
      .where('at', '>=', new Date(Date.parse(at) - DAY_MS).toISOString())
      .groupBy(['rule_id', 'symbol', 'action'])
      .execute()
    for (const { rule_id, symbol, action, last_at, today } of rows) {
      passes.#last.set(`${rule_id} ${symbol} ${action}`, last_at)
      passes.#more(passes.#today, `${rule_id} ${symbol}`, Number(today))
    }
    const in_all = counted.filter(({ limits }) => limits.daily_total_limit > 0).map(({ id }) => id)
    if (in_all.length === 0) return passes
    const totals = await db
      .selectFrom('stock_rule_passes')
      .select((eb) => ['rule_id', eb.fn.countAll().as('count')])
      .where('rule_id', 'in', in_all)
      .where('at', '>=', midnight)
      .groupBy('rule_id')
      .execute()
    for (const { rule_id, count } of totals) passes.#in_all.set(rule_id, Number(count))
    return passes
  }

  /** What a rule told of one symbol and action. */
  told({ symbol, action }: Pick<RuledSignal, 'symbol' | 'action'>): (rule: { id: string }) => ToldBefore {
    return ({ id }) => ({
      last_at: this.#last.get(`${id} ${symbol} ${action}`) ?? null,
      today: this.#today.get(`${id} ${symbol}`) ?? 0,
      today_in_all: this.#in_all.get(id) ?? 0,
    })
  }

  /** Counts one that is told now, for the next of the same batch too. */
  add(row: StockPassRow): void {
    this.#added.push(row)
    this.#last.set(`${row.rule_id} ${row.symbol} ${row.action}`, row.at)
    this.#more(this.#today, `${row.rule_id} ${row.symbol}`, 1)
    this.#more(this.#in_all, row.rule_id, 1)
  }

  /** Stores what was added; what is told of the same signal again is not counted twice. */
  async store(db: Db): Promise<void> {
    for (const some of partsOf(this.#added, AT_ONCE))
      await db
        .insertInto('stock_rule_passes')
        .values(some)
        .onConflict((conflict) => conflict.columns(['rule_id', 'signal_id']).doNothing())
        .execute()
  }

  #more(counts: Map<string, number>, key: string, by: number): void {
    counts.set(key, (counts.get(key) ?? 0) + by)
  }
}
/** Rows of one statement that SQLite can bind. */
const AT_ONCE = 400

/** Shares held of each stock of these strategies, signed, by strategy and symbol. */
export async function heldOf(db: Db, strategy_ids: readonly string[]): Promise<Map<string, number>> {
  const held = new Map<string, number>()
  if (strategy_ids.length === 0) return held
  const folds = await db
    .selectFrom('snapshots')
    .select(['strategy_id', 'positions'])
    .where('kind', '=', 'head')
    .where('strategy_id', 'in', strategy_ids)
    .execute()
  for (const { strategy_id, positions } of folds)
    for (const { symbol, quantity } of JSON.parse(positions) as Position[])
      held.set(heldKey(strategy_id, symbol), quantity)
  return held
}
export const heldKey = (strategy_id: string, symbol: string): string => `${strategy_id} ${symbol}`

/** Why a signal is not as its rule says. */
export const CAUSE_WORDS: Readonly<Record<RulingCause, string>> = {
  cooldown: '冷卻中，只記錄不通知',
  daily: '今天這一檔已達上限，只記錄不通知',
  daily_total: '今天已達上限，只記錄不通知',
  held: '這一檔有部位，出場照樣記錄，不通知',
}
