// The rules of a stock strategy as they are stored (個股訊號設定), and what they told: the intake and whoever tells people ask for them.
import type { StockSettingMatch } from '#contract/stock-signal-setting.ts'
import { UNIT_FACTS, unitOf } from '#trading/kinds.ts'
import type { Pass, RuleLimits, RuleResult, RulingCause, StockRule } from '#trading/stock-rules.ts'
import type { Db, StockPassRow, StockSettingRow, StrategyRow } from '../db/schema.ts'
import { settingsOf } from '../db/settings.ts'

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

/** Enabled rules in their order, by strategy: the strategies' own, or with `uids` those of these people, by strategy and person. */
export async function enabledRules(
  db: Db,
  rows: readonly StrategyRow[],
  uids: readonly string[] | null = null,
): Promise<Map<string, StockRule[]>> {
  const strategies = new Map(rows.map((row) => [row.id, row]))
  if (strategies.size === 0 || uids?.length === 0) return new Map()
  const query = db
    .selectFrom('stock_signal_settings')
    .selectAll()
    .where('strategy_id', 'in', [...strategies.keys()])
    .where('enabled', '=', 1)
    .orderBy('place')
    .orderBy('id')
  const settings = await (uids === null
    ? query.where('uid', 'is', null)
    : query.where('uid', 'in', uids)
  ).execute()
  const found = new Map<string, StockRule[]>()
  for (const setting of settings) {
    const row = strategies.get(setting.strategy_id) as StrategyRow
    const key = ruledKey(row.id, setting.uid)
    const known = found.get(key)
    if (known) known.push(ruleOf(row, setting))
    else found.set(key, [ruleOf(row, setting)])
  }
  return found
}

/** Where `enabledRules` files those of a strategy, or of a person for it. */
export const ruledKey = (strategy_id: string, uid: string | null = null): string =>
  uid === null ? strategy_id : `${strategy_id} ${uid}`

/** What these rules told within the day before an instant. */
export async function passesOf(db: Db, rule_ids: readonly string[], at: string): Promise<Pass[]> {
  if (rule_ids.length === 0) return []
  return db
    .selectFrom('stock_rule_passes')
    .select(['rule_id', 'symbol', 'action', 'at'])
    .where('rule_id', 'in', rule_ids)
    .where('at', '>=', new Date(Date.parse(at) - DAY_MS).toISOString())
    .execute()
}

/** Notes what rules with limits told; one that is told of the same signal again is not counted twice. */
export async function storePasses(db: Db, passes: readonly StockPassRow[]): Promise<void> {
  if (passes.length === 0) return
  await db
    .insertInto('stock_rule_passes')
    .values([...passes])
    .onConflict((conflict) => conflict.columns(['rule_id', 'signal_id']).doNothing())
    .execute()
}

/** Why a signal is not as its rule says. */
export const CAUSE_WORDS: Readonly<Record<RulingCause, string>> = {
  cooldown: '冷卻中，只記錄不通知',
  daily: '今天這一檔已達上限，只記錄不通知',
  daily_total: '今天已達上限，只記錄不通知',
  held: '這一檔有部位，出場照樣記錄，不通知',
}
