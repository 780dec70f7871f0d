// Strategies written: made, changed, deleted, each with its events. Update and delete take only what may be changed.

import { type Access, accessOn } from '#contract/access.ts'
import { ApiError, type ApiErrorDetails, invalid } from '#contract/errors.ts'
import type { Scope } from '#contract/events.ts'
import { firesOnce } from '#contract/kinds/xq-stock.ts'
import {
  CHANGEABLE,
  checkStrategy,
  type FuturesSettings,
  type KindSettings,
  type StockSettings,
  type StrategyChanges,
  type StrategyDraft,
  type XqSettings,
} from '#contract/strategy.ts'
import { GENESIS } from '#trading/chain.ts'
import { findProduct, type Product, stockName } from '#trading/products.ts'
import { noteStrategy, pathsOf, tellAccess } from '../access/membership.ts'
import type { Authorized } from '../access/strategies.ts'
import type { Actor, App, Membership, Tx } from '../context.ts'
import { isTaken } from '../db/condition.ts'
import { nameKey, settingsOf } from '../db/query.ts'
import type { Db, StrategyRow } from '../db/schema.ts'
import { newId } from '../ids.ts'
import { closedDays } from '../record/calendar.ts'
import { closeForGood } from '../record/erase.ts'
import {
  type Again,
  bringOn,
  FOLD_AT_ONCE,
  foldAgain,
  oweFold,
  refold,
  writeAgain,
} from '../record/refold.ts'
import { watchAfter, watchedFrom } from '../record/silence.ts'
import { renewHead } from '../record/snapshots.ts'
import { termsKey } from '../record/terms.ts'
import { roomForNote, roomForStrategy } from '../usage/quotas.ts'
import { forgetImages, imagesOf, showImages } from './note-images.ts'

// Between a strategy's row and its fields on the wire; fills in what follows from the market.

type Common = Omit<Extract<StrategyDraft, { kind: 'futures' }>, 'kind' | 'settings'>
/** Every writable field with a value, settings complete for their kind. */
type StrategyFields = Common & KindSettings
/** The same before the market has filled in what was left out. */
type Unsettled = StrategyDraft | StrategyFields

/** The columns of a row that hold those fields. */
type FieldColumns = Pick<StrategyRow, keyof Common | 'settings' | 'name_key' | 'search_key'>

/** A draft as fields, or 4220 with a message per field. */
function fieldsOfDraft(draft: Unsettled): StrategyFields {
  return settled(draft)
}

/** Fields with changes laid over them, settings key by key; keys of another kind are dropped. 4220 when they do not fit. */
export function withChanges(before: StrategyFields, changes: StrategyChanges): StrategyFields {
  const { settings = {}, ...common } = changes
  const own = Object.entries(settings).filter(([key]) => Object.hasOwn(CHANGEABLE[before.kind], key))
  return settled({
    ...before,
    ...given(Object.entries(common)),
    assumed: stillAssumed(before, changes),
    settings: { ...before.settings, ...given(own) },
  } as StrategyFields)
}

/**
 * What is written is said. What was said stays said, whatever an older form or program puts back; and who puts a whole strategy back
 * as it stood, with what is assumed, has said nothing.
 */
function stillAssumed(before: StrategyFields, changes: StrategyChanges): StrategyFields['assumed'] {
  return before.assumed.filter((name) => {
    const [put, value] = [changes.assumed, changes[name]]
    if (put === undefined) return value === undefined
    return put.includes(name) && (value === undefined || value === before[name])
  })
}

const given = (entries: [string, unknown][]) =>
  Object.fromEntries(entries.filter(([, value]) => value !== undefined))

/** The fields of a stored row. */
export function fieldsOfRow(row: StrategyRow): StrategyFields {
  return {
    ...settingsOf(row),
    name: row.name,
    summary: row.summary,
    note: row.note,
    tags: JSON.parse(row.tags) as string[],
    status: row.status,
    direction: row.direction,
    trade_style: row.trade_style as StrategyFields['trade_style'],
    timeframe: row.timeframe as StrategyFields['timeframe'],
    initial_capital: row.initial_capital,
    assumed: JSON.parse(row.assumed) as StrategyFields['assumed'],
    quantity_mode: row.quantity_mode,
    default_quantity: row.default_quantity,
    max_position: row.max_position,
    allow_pyramiding: row.allow_pyramiding === 1,
    allow_reversal: row.allow_reversal === 1,
    slippage_ticks: row.slippage_ticks,
    stop_loss: row.stop_loss === null ? null : (JSON.parse(row.stop_loss) as StrategyFields['stop_loss']),
    take_profit:
      row.take_profit === null ? null : (JSON.parse(row.take_profit) as StrategyFields['take_profit']),
    late_after_s: row.late_after_s,
    on_symbol_mismatch: row.on_symbol_mismatch,
    silence_alarm: JSON.parse(row.silence_alarm) as StrategyFields['silence_alarm'],
  }
}

/** The columns of fields. */
export function columnsOf(fields: StrategyFields): FieldColumns {
  const { kind: _fixed, ...rest } = fields
  return {
    ...rest,
    name_key: nameKey(fields.name),
    search_key: searchKey(fields),
    tags: JSON.stringify(fields.tags),
    assumed: JSON.stringify(fields.assumed),
    allow_pyramiding: fields.allow_pyramiding ? 1 : 0,
    allow_reversal: fields.allow_reversal ? 1 : 0,
    stop_loss: fields.stop_loss && JSON.stringify(fields.stop_loss),
    take_profit: fields.take_profit && JSON.stringify(fields.take_profit),
    silence_alarm: JSON.stringify(fields.silence_alarm),
    settings: JSON.stringify(fields.settings),
  }
}

function searchKey({ name, tags, settings }: StrategyFields): string {
  const words = [
    name,
    ...('product_code' in settings ? productWords(settings) : stockWords(settings)),
    ...tags,
  ]
  return nameKey([...new Set(words)].join('\n'))
}

function productWords({ product_code }: FuturesSettings): string[] {
  const product = findProduct(product_code)
  return product ? [product.code, product.taifex_code, product.name, product.short_name] : []
}

function stockWords(settings: StockSettings | XqSettings): string[] {
  const script = 'xq_script_name' in settings ? settings.xq_script_name : ''
  return [...settings.symbols.flatMap((symbol) => [symbol, stockName(symbol)]), script]
}

/** Checks across fields, then fills in what the market decides. */
function settled(fields: Unsettled): StrategyFields {
  const problems = checkStrategy(fields)
  if (Object.keys(problems).length > 0) throw invalid(problems)
  switch (fields.kind) {
    case 'futures': {
      const { settings } = fields
      const product = findProduct(settings.product_code) as Product
      // A month means something only where it is the rule.
      const contract_month = settings.contract_rule === 'month' ? settings.contract_month : null
      const fee_per_side = settings.fee_per_side ?? product.default_fee
      return {
        ...fields,
        settings: { ...settings, contract_month, fee_per_side, tax_rate: product.tax_rate },
      }
    }
    case 'stock':
      return fields
    case 'xq-stock': {
      const { settings } = fields
      const dedupe_per_day = settings.dedupe_per_day ?? firesOnce(settings.script_type)
      return { ...fields, settings: { ...settings, dedupe_per_day } }
    }
  }
}

// The groups that strategies are in, as this actor may hear of them.

type Groups = Map<string, { id: string; name: string }[]>

/**
 * By strategy. An admin hears of every group, by name; a member of those through which it reads the strategy on this day, the
 * one that lasts longest first.
 */
export async function groupsOf(db: Db, actor: Actor, ids: readonly string[], day: string): Promise<Groups> {
  if (actor.membership === null) return new Map()
  return actor.access === null ? allGroups(db, ids) : ownGroups(db, actor.membership, ids, day)
}

async function allGroups(db: Db, ids: readonly string[]): Promise<Groups> {
  const rows = await db
    .selectFrom('group_strategies as given')
    .innerJoin('strategy_groups as groups', 'groups.id', 'given.group_id')
    .select(['given.strategy_id', 'groups.id', 'groups.name'])
    .where('given.strategy_id', 'in', ids)
    .orderBy('groups.name')
    .execute()
  return byStrategy(rows)
}

async function ownGroups(
  db: Db,
  membership: Membership,
  ids: readonly string[],
  day: string,
): Promise<Groups> {
  const wanted = new Set(ids)
  const open = (await pathsOf(db, membership)).flatMap(({ strategy_id, group, spans }) => {
    const access = wanted.has(strategy_id) ? accessOn([spans], day) : null
    return access ? [{ strategy_id, ...group, access }] : []
  })
  return byStrategy(open.sort((a, b) => longer(a.access, b.access)))
}

/** The open end first, then the later day. */
function longer({ valid_until: a }: Access, { valid_until: b }: Access): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? -1 : 1
  return a < b ? 1 : -1
}

function byStrategy(rows: readonly { strategy_id: string; id: string; name: string }[]): Groups {
  const grouped = Map.groupBy(rows, ({ strategy_id }) => strategy_id)
  return new Map([...grouped].map(([strategy, own]) => [strategy, own.map(({ id, name }) => ({ id, name }))]))
}

const NAME_TAKEN: ApiErrorDetails = { fields: { name: '這個名稱已經用過，請換一個' } }
/** Columns that change how messages are read: caches in every process notice by the version. */
const READING = ['status', 'quantity_mode', 'late_after_s', 'on_symbol_mismatch', 'settings'] as const

/** Stores a new strategy of the actor's context. 4090 when the name is taken there. */
export async function insertStrategy(app: App, tx: Tx, actor: Actor, draft: Unsettled): Promise<StrategyRow> {
  const columns = columnsOf(fieldsOfDraft(draft))
  const row: StrategyRow = {
    id: newId(),
    kind: draft.kind,
    scope: actor.scope,
    owner_type: actor.organization_id === null ? 'personal' : 'organization',
    owner_id: actor.organization_id ?? actor.uid,
    ...columns,
    watched_from: watchedFrom(columns, tx.at),
    silent_since: null,
    version: 1,
    rules_version: 0,
    chain_seq: 0,
    chain_hash: GENESIS,
    shown_seq: null,
    shown_hash: null,
    created_by: actor.uid,
    created_at: tx.at,
    updated_at: tx.at,
    deleted_at: null,
  }
  await roomForStrategy(tx.db, actor.scope)
  await roomForNote(tx.db, actor.scope, row.note, '')
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('strategies')
    .values(row)
    // The id is fresh: the only thing that can be there before is the name.
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) throw new ApiError(4090, NAME_TAKEN)
  await showImages(tx, row, row.note)
  await refold(tx.db, row, closedDays(app))
  await noteStrategy(tx, row, 0)
  await tx.append(actor.scope, 'strategy', { id: row.id, change: 'created' })
  return row
}

/**
 * What changes of a long record's terms come to, folded before the transaction that makes them: signals pass meanwhile. Null when
 * nothing has to be folded, or only little; and when the changes are none, which the transaction says.
 */
export async function foldAhead(
  app: App,
  row: StrategyRow,
  changes: StrategyChanges,
  account: string,
): Promise<Again | null> {
  if (row.chain_seq <= FOLD_AT_ONCE) return null
  const next: StrategyRow = { ...row, ...columnsOf(withChanges(fieldsOfRow(row), changes)) }
  return decidesFold(row, next) ? foldAgain(app, next, account) : null
}

function decidesFold(row: StrategyRow, next: StrategyRow): boolean {
  return row.initial_capital !== next.initial_capital || termsKey(row) !== termsKey(next)
}

/**
 * The next signal is judged by the new terms, with the state that they lead to; the stored records are brought to it after the
 * commit, some at a time. Where something came in between so that `ahead` does not fit, the state follows with them.
 */
async function refoldSoon(app: App, tx: Tx, next: StrategyRow, ahead: Again | null): Promise<void> {
  const fits = ahead !== null && (await bringOn(app, tx.db, ahead, next)) && ahead.running !== null
  if (fits) await writeAgain(tx.db, ahead, next)
  else await renewHead(tx.db, next)
  await oweFold(tx.db, next)
  tx.afterCommit(() => {
    if (fits) app.refolds.ahead(next.id, ahead)
    app.jobs.wake('refold')
  })
}

/** Lays changes over a strategy; folds its record again when they decide figures. Gives the row as it is now. */
export async function updateStrategy(
  app: App,
  tx: Tx,
  row: Authorized<StrategyRow>,
  changes: StrategyChanges,
  ahead: Again | null = null,
): Promise<StrategyRow> {
  const columns = columnsOf(withChanges(fieldsOfRow(row), changes))
  const changed = (Object.keys(columns) as (keyof typeof columns)[]).filter(
    (key) => columns[key] !== row[key],
  )
  if (changed.length === 0) return row
  if (changed.includes('note')) await roomForNote(tx.db, row.scope as Scope, columns.note, row.note)
  const closed = closedDays(app)
  const watch = watchAfter(row, columns, tx.at)
  const next: StrategyRow = { ...row, ...columns, ...watch, updated_at: tx.at }
  const folds = decidesFold(row, next)
  if (folds || changed.some((key) => (READING as readonly string[]).includes(key))) next.version += 1
  try {
    await tx.db
      .updateTable('strategies')
      .set({ ...columns, ...watch, updated_at: next.updated_at, version: next.version })
      .where('id', '=', row.id)
      .execute()
  } catch (error) {
    // only the name can clash in an update of a strategy
    if (isTaken(error)) throw new ApiError(4090, NAME_TAKEN)
    throw error
  }
  if (changed.includes('note')) await showImages(tx, row, columns.note)
  const scope = row.scope as Scope
  if (changed.includes('status')) await tx.append(scope, 'strategy', { id: row.id, change: 'status' })
  if (changed.some((key) => key !== 'status'))
    await tx.append(scope, 'strategy', { id: row.id, change: 'updated' })
  if (folds && next.chain_seq > FOLD_AT_ONCE) {
    await refoldSoon(app, tx, next, ahead)
  } else if (folds) {
    const { changed_from } = await refold(tx.db, next, closed)
    if (changed_from !== null)
      await tx.append(scope, 'strategy', { id: row.id, change: 'refolded', from_chain_seq: changed_from })
  } else await renewHead(tx.db, next)
  tx.afterCommit(() => app.fold_cache.forget(row.id))
  return next
}

/**
 * Takes a strategy away (ruling C27). Kept: gone for those who edit, its webhooks answer 410, its records stay for those who
 * were given them. Not kept: nobody sees anything of it from this commit on, and all of it is erased beside everything else, also
 * from the events that carried its records.
 */
export async function deleteStrategy(
  app: App,
  tx: Tx,
  row: Authorized<StrategyRow>,
  keep_records: boolean,
): Promise<void> {
  if (keep_records) {
    await tx.db
      .updateTable('strategies')
      .set({ deleted_at: tx.at, updated_at: tx.at, ...(row.owner_type === 'personal' && { note: '' }) })
      .where('id', '=', row.id)
      .execute()
    // A person's own has no members who could read on: its note and pictures would only take the owner's room.
    if (row.owner_type === 'personal') await showImages(tx, row, '')
    await tx.db
      .updateTable('webhooks')
      .set({ deleted_at: tx.at, updated_at: tx.at, enabled: 0 })
      .where('strategy_id', '=', row.id)
      .where('deleted_at', 'is', null)
      .execute()
  } else {
    const readers = await readersOf(tx, row)
    const images = await imagesOf(tx.db, row.id)
    await tx.db.deleteFrom('note_images').where('strategy_id', '=', row.id).execute()
    await forgetImages(app, tx, images)
    await closeForGood(tx, row)
    if (row.owner_type === 'organization') await tellAccess(tx, row.owner_id, readers, 'groups')
    tx.afterCommit(() => app.jobs.wake('erase'))
  }
  await noteStrategy(tx, row, 1)
  await tx.append(row.scope as Scope, 'strategy', { id: row.id, change: 'deleted' })
  tx.afterCommit(() => app.fold_cache.forget(row.id))
}

/** The members who were given this strategy: they hear that it is gone through their access. */
async function readersOf(tx: Tx, row: StrategyRow): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('group_strategies as given')
    .innerJoin('group_members as member', 'member.group_id', 'given.group_id')
    .select('member.user_id')
    .distinct()
    .where('given.strategy_id', '=', row.id)
    .execute()
  return rows.map(({ user_id }) => user_id)
}
