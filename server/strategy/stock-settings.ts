// 個股訊號設定: rules of a stock strategy, and each person's own for it (domain §8.1).
import type { OutputOf, ParsedInputOf } from '#contract/endpoint.ts'
import { ApiError, invalid } from '#contract/errors.ts'
import type { Scope } from '#contract/events.ts'
import { STOCK_RULES_MOST } from '#contract/limits.ts'
import type {
  createStockSetting,
  orderStockSettings,
  RuledFor,
  StockSignalSetting,
  tryStockSettings,
  updateStockSetting,
} from '#contract/stock-signal-setting.ts'
import { ASSET_FACTS, assetOf, UNIT_FACTS, unitOf } from '#trading/kinds.ts'
import { mayClose, ruled } from '#trading/stock-rules.ts'
import { seeStrategy } from '../access/organization.ts'
import { findStrategy, holdStrategy } from '../access/strategies.ts'
import type { Actor, App, Tx } from '../context.ts'
import { settingsOf } from '../db/query.ts'
import type { Db, StockSettingRow, StrategyRow } from '../db/schema.ts'
import { newId } from '../ids.ts'
import { CAUSE_WORDS, heldKey, heldOf, Passes, ruleOf } from '../record/stock-rules.ts'
import { roomForRules } from '../usage/quotas.ts'

type Created = ParsedInputOf<typeof createStockSetting>
type Changed = ParsedInputOf<typeof updateStockSetting>
type Ordered = ParsedInputOf<typeof orderStockSettings>
type Tried = ParsedInputOf<typeof tryStockSettings>

/** The strategy's rules and the caller's own, in their order. 4220 of a strategy whose signals no rules look at. */
export async function readStockSettings(
  app: App,
  db: Db,
  actor: Actor,
  strategy_id: string,
): Promise<{ items: StockSignalSetting[] }> {
  return listing(db, actor, requireRules(await seeStrategy(app, db, actor, strategy_id)))
}

/** Adds one behind the others of its kind. */
export async function insertStockSetting(
  app: App,
  tx: Tx,
  actor: Actor,
  { id: strategy_id, applies_to, ...given }: Created,
): Promise<StockSignalSetting> {
  const row = await changeable(app, tx, actor, strategy_id, applies_to)
  const uid = whose(actor, applies_to)
  const before = await rowsOf(tx.db, row.id, uid)
  if (before.length >= STOCK_RULES_MOST)
    throw new ApiError(4220, { text: `規則最多 ${STOCK_RULES_MOST} 條；請先刪掉用不到的` })
  requireSense(row, applies_to, given)
  await roomForRules(tx.db, { scope: row.scope as Scope, uid }, 1)
  const setting: StockSettingRow = {
    ...{ id: newId(), strategy_id: row.id, uid, place: (before.at(-1)?.place ?? 0) + 1 },
    ...{ name: given.name, enabled: given.enabled ? 1 : 0, match: JSON.stringify(given.match) },
    ...{ result: given.result, limits: JSON.stringify(given.limits) },
    ...{ quantity_override: given.quantity_override, created_at: tx.at, updated_at: tx.at },
  }
  await tx.db.insertInto('stock_signal_settings').values(setting).execute()
  await told(tx, row, uid)
  return present(setting, before.length + 1)
}

/** Lays the given fields over a rule. */
export async function updateStockSettingRow(
  app: App,
  tx: Tx,
  actor: Actor,
  { id: strategy_id, setting_id, ...changes }: Changed,
): Promise<StockSignalSetting> {
  const found = await held(app, tx, actor, strategy_id, setting_id)
  if (!found) throw new ApiError(4220, { text: '這條規則已經不在了，可能在別的裝置上刪掉了；請重新整理再看' })
  const { row, setting } = found
  const { enabled, match, limits, ...plain } = changes
  const next: StockSettingRow = {
    ...setting,
    ...Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)),
    ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
    ...(match !== undefined && { match: JSON.stringify(match) }),
    ...(limits !== undefined && { limits: JSON.stringify(limits) }),
    updated_at: tx.at,
  }
  requireSense(row, appliesTo(setting), next)
  const { id, ...columns } = next
  await tx.db.updateTable('stock_signal_settings').set(columns).where('id', '=', id).execute()
  await told(tx, row, setting.uid)
  const place = (await rowsOf(tx.db, row.id, setting.uid)).findIndex((one) => one.id === id)
  return present(next, place + 1)
}

/** Takes a rule away; one that is gone already, or somebody else's own, is none of the caller's and stays as it is. */
export async function deleteStockSettingRow(
  app: App,
  tx: Tx,
  actor: Actor,
  { id: strategy_id, setting_id }: { id: string; setting_id: string },
): Promise<null> {
  const found = await held(app, tx, actor, strategy_id, setting_id)
  if (!found) return null
  const { row, setting } = found
  await tx.db.deleteFrom('stock_signal_settings').where('id', '=', setting.id).execute()
  await told(tx, row, setting.uid)
  return null
}

/** Puts all rules of one kind into an order; 4220 when the list is not exactly theirs. */
export async function orderStockSettingRows(
  app: App,
  tx: Tx,
  actor: Actor,
  { id: strategy_id, applies_to, ids }: Ordered,
): Promise<{ items: StockSignalSetting[] }> {
  const row = await changeable(app, tx, actor, strategy_id, applies_to)
  const uid = whose(actor, applies_to)
  const known = new Set((await rowsOf(tx.db, row.id, uid)).map(({ id }) => id))
  if (ids.length !== known.size || new Set(ids).size !== ids.length || ids.some((id) => !known.has(id)))
    throw new ApiError(4220, { text: '規則剛剛有變動，請看過現在的順序再排一次' })
  for (const [i, id] of ids.entries())
    await tx.db
      .updateTable('stock_signal_settings')
      .set({ place: i + 1 })
      .where('id', '=', id)
      .execute()
  await told(tx, row, uid)
  return listing(tx.db, actor, row)
}

/** Gives a strategy the rules of another one; nobody's own come along. */
export async function copyRules(tx: Tx, from: string, to: string): Promise<void> {
  const rows = (await rowsOf(tx.db, from, null)).map((row) => ({
    ...row,
    ...{ id: newId(), strategy_id: to, created_at: tx.at, updated_at: tx.at },
  }))
  if (rows.length === 0) return
  const { scope } = await tx.db
    .selectFrom('strategies')
    .select('scope')
    .where('id', '=', to)
    .executeTakeFirstOrThrow()
  await roomForRules(tx.db, { scope: scope as Scope, uid: null }, rows.length)
  await tx.db.insertInto('stock_signal_settings').values(rows).execute()
  await renew(tx, to)
}

/** Which rule a signal would meet now; nothing is noted. */
export async function tryRules(
  app: App,
  db: Db,
  actor: Actor,
  { id, applies_to, occurred_at, quantity, ...signal }: Tried,
): Promise<OutputOf<typeof tryStockSettings>> {
  const row = requireRules(await seeStrategy(app, db, actor, id))
  const at = new Date(app.now()).toISOString()
  const rules = (await rowsOf(db, row.id, whose(actor, applies_to))).map((one) => ruleOf(row, one))
  const passes = await Passes.of(db, rules, [signal.symbol], at)
  const size = UNIT_FACTS[unitOf(settingsOf(row))].size
  const shares = quantity === null ? null : quantity * size
  const all = applies_to === 'strategy' ? await heldOf(db, [row.id]) : null
  const held = all?.get(heldKey(row.id, signal.symbol)) ?? 0
  const sample = { ...signal, quantity: shares, occurred_at: occurred_at ?? at }
  const { rule, result, cause } = ruled(rules, sample, { at, told: passes.told(signal), held })
  return {
    setting: rule && { id: rule.id, name: rule.name },
    result,
    reason: cause === null ? null : CAUSE_WORDS[cause],
    quantity: mayClose(signal.action, held) ? null : (rule?.quantity_override ?? null),
  }
}

/** 4220 of a strategy of another kind. */
function requireRules(row: StrategyRow): StrategyRow {
  const { rules, name } = ASSET_FACTS[assetOf(row)]
  if (rules === null) throw new ApiError(4220, { text: `這是${name}策略，沒有訊號設定；規則只看股票的訊號` })
  return row
}

/** The strategy, where the caller may change its rules, or their own for it. */
async function changeable(
  app: App,
  tx: Tx,
  actor: Actor,
  strategy_id: string,
  applies_to: RuledFor,
): Promise<StrategyRow> {
  return requireRules(
    applies_to === 'strategy'
      ? await holdStrategy(app, tx.db, actor, strategy_id, 'strategy:edit')
      : await findStrategy(tx.db, actor, strategy_id),
  )
}

/** A rule the caller may change: the strategy's for whoever may edit it (else 4030), their own; null for any other. */
async function held(app: App, tx: Tx, actor: Actor, strategy_id: string, setting_id: string) {
  requireRules(await findStrategy(tx.db, actor, strategy_id))
  const setting = await tx.db
    .selectFrom('stock_signal_settings')
    .selectAll()
    .where('id', '=', setting_id)
    .where('strategy_id', '=', strategy_id)
    .executeTakeFirst()
  if (!setting || (setting.uid !== null && setting.uid !== actor.uid)) return null
  return { row: await changeable(app, tx, actor, strategy_id, appliesTo(setting)), setting }
}

/** What only a strategy's own rule can say, and what no rule can. */
function requireSense(
  row: StrategyRow,
  applies_to: RuledFor,
  { result, quantity_override }: { result: string; quantity_override: number | null },
): void {
  if (applies_to === 'me' && quantity_override !== null)
    throw invalid({ quantity_override: '只有整個策略的規則能改數量' })
  if (quantity_override === null) return
  const { word, most } = UNIT_FACTS[unitOf(settingsOf(row))]
  const text =
    result === 'ignore'
      ? '忽略的訊號沒有數量，請留空'
      : quantity_override > most
        ? `最多 ${most} ${word}`
        : null
  if (text !== null) throw invalid({ quantity_override: text })
}

/** Whoever reads the strategy hears of its rules, and the intake asks for them anew; one's own are nobody else's matter. */
async function told(tx: Tx, row: StrategyRow, uid: string | null): Promise<void> {
  if (uid === null) await renew(tx, row.id)
  if (uid === null) await tx.append(row.scope as Scope, 'strategy', { id: row.id, change: 'updated' })
  else await tx.append(`p:${uid}`, 'setting', { change: 'stock-signal-setting' })
}

const renew = (tx: Tx, id: string) =>
  tx.db
    .updateTable('strategies')
    .set((eb) => ({ rules_version: eb('rules_version', '+', 1) }))
    .where('id', '=', id)
    .execute()

function rowsOf(db: Db, strategy_id: string, uid: string | null): Promise<StockSettingRow[]> {
  return db
    .selectFrom('stock_signal_settings')
    .selectAll()
    .where('strategy_id', '=', strategy_id)
    .where('uid', uid === null ? 'is' : '=', uid)
    .orderBy('place')
    .orderBy('id')
    .execute()
}

/** The strategy's rules, then the caller's own. */
async function listing(
  db: Db,
  { uid }: Actor,
  { id }: StrategyRow,
): Promise<{ items: StockSignalSetting[] }> {
  const of = async (whose: string | null) =>
    (await rowsOf(db, id, whose)).map((row, i) => present(row, i + 1))
  return { items: [...(await of(null)), ...(await of(uid))] }
}

const appliesTo = ({ uid }: Pick<StockSettingRow, 'uid'>): RuledFor => (uid === null ? 'strategy' : 'me')
const whose = ({ uid }: Pick<Actor, 'uid'>, applies_to: RuledFor) => (applies_to === 'me' ? uid : null)

function present(row: StockSettingRow, order: number): StockSignalSetting {
  const { id, strategy_id, name, quantity_override, created_at, updated_at } = row
  return {
    ...{ id, strategy_id, order, name, enabled: row.enabled === 1, applies_to: appliesTo(row) },
    match: JSON.parse(row.match) as StockSignalSetting['match'],
    result: row.result as StockSignalSetting['result'],
    limits: JSON.parse(row.limits) as StockSignalSetting['limits'],
    ...{ quantity_override, created_at, updated_at },
  }
}
