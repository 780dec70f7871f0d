// How much a message asks for, in lots or shares; sizes in percent, money or risk are refused (domain §4.8, rules 4–5).
import { ASSET_FACTS, assetOf, BOARD_LOT } from '../kinds.ts'
import { type Action, ASSETS, type Asset, type Flag, type Unit } from '../record.ts'
import type { Mapping, PayloadStrategy } from './shape.ts'
import { every, type Said, type Uses } from './uses.ts'
import {
  halfWidth,
  integerOf,
  isGrouped,
  numberOf,
  placeholderIn,
  quoted,
  Refusal,
  sizeOf,
  unfilled,
} from './values.ts'
import { type FieldName, table, wordOf } from './vocabulary.ts'

const ALL = new Set(['all', '全部', '全', 'full', 'max', 'close_all', 'everything', '100%'])
const MOST = 999_999_999
/** Entries and targets from so many times the strategy's limit on are no order but a mistake in the unit. */
const TIMES_MAX = 10
export const SIZE_FIELDS = ['quantity', 'contracts', 'lots', 'futures_lots', 'board_lots', 'shares'] as const
const SIZES: ReadonlySet<string> = new Set(SIZE_FIELDS)
/** Whether a field, as `fieldOfName` calls it, says how much. */
export const isSize = (field: string | null | undefined): boolean => field != null && SIZES.has(field)
const UNIT_OF_NAME: Readonly<Partial<Record<FieldName, SizeUnit>>> = {
  contracts: 'contract',
  lots: 'lots',
  futures_lots: 'lot',
  board_lots: 'board_lot',
  shares: 'share',
}

/** Whether a word says the whole of what is held. */
export function isAll(text: string): boolean {
  return ALL.has(text.normalize('NFKC').trim().toLowerCase())
}

/** A figure and the unit written behind it; null when it is no figure, or the unit is not known. */
export function sizeIn(text: string): { figure: string; unit: SizeUnit | undefined } | null {
  const m = /^([+-]?[\d.,]+)\s*([^\d\s.,][^\d]*)?$/.exec(halfWidth(text).trim())
  if (!m) return null
  const [, figure = '', written] = m
  if (written === undefined) return { figure, unit: undefined }
  const unit = unitOfWord(written)
  return unit === undefined ? null : { figure, unit }
}

export type Size = { kind: 'none' } | { kind: 'all' } | { kind: 'size'; n: number; key: string }

/** The size a message says, by all its leaves; none when it says none. Throws a Refusal. */
export function sizeSaid(uses: Uses, strategy: PayloadStrategy, mapping: Mapping | null): Size {
  const unit = unitSaid(uses)
  const own = mapping?.units['']
  let size: Size = { kind: 'none' }
  let from: Said | undefined
  for (const said of every(uses, ...SIZE_FIELDS)) {
    const next = one(
      said,
      unit,
      strategy,
      said.mapped || said.field === 'quantity' ? own : undefined,
      mapping,
    )
    const same =
      from === undefined ||
      (next.kind === size.kind && (next.kind !== 'size' || next.n === (size as { n: number }).n))
    if (!same)
      throw new Refusal(
        'contradiction',
        said.key,
        `數量寫了兩種：${from?.key}${quoted(from?.value)}、${said.key}${quoted(said.value)}，請只留一個`,
      )
    size = next
    from = said
  }
  for (const said of every(uses, 'money')) {
    if (numberOf(said.value) === 0 || said.value === false) continue
    throw new Refusal(
      'bad_unit',
      said.key,
      `欄位 ${said.key}${quoted(said.value)}像是金額、百分比或風險：請改送${WANTED[assetOf(strategy)]}，或在訊息格式裡選「不看」`,
    )
  }
  return size
}

interface UnitSaid {
  said: Said
  unit: SizeUnit
}

function unitSaid(uses: Uses): UnitSaid | null {
  let found: UnitSaid | null = null
  for (const said of every(uses, 'unit')) {
    // Fugle's ap_code: 1 is the common lot; its other codes are other lots.
    if (/^ap_?code$/i.test(said.key) && String(said.value) === '1') {
      found = { said, unit: 'board_lot' }
      continue
    }
    if (typeof said.value !== 'string' || numberOf(said.value) !== null)
      throw new Refusal(
        'unknown_field',
        said.key,
        `不確定欄位 ${said.key}${quoted(said.value)}是單位還是數量：請改用 quantity`,
      )
    const unit = unitOfWord(said.value)
    if (unit === undefined || unit === 'bad')
      throw new Refusal(
        'bad_unit',
        said.key,
        `單位${quoted(said.value)}（欄位 ${said.key}）不是口、張或股：請改送口數、張數或股數`,
      )
    if (found && found.unit !== unit)
      throw new Refusal(
        'contradiction',
        said.key,
        `單位寫了兩種：${quoted(found.said.value)}與${quoted(said.value)}，請只留一個`,
      )
    found = { said, unit }
  }
  return found
}

function one(
  said: Said,
  spoken: UnitSaid | null,
  strategy: PayloadStrategy,
  bare: SizeUnit | undefined,
  mapping: Mapping | null,
): Size {
  const { key, value } = said
  if (typeof value === 'string') {
    const variable = placeholderIn(value)
    if (variable) throw new Refusal('unresolved_placeholder', variable, unfilled(variable))
    if (isAll(value) && value.trim() !== '100%') return { kind: 'all' }
  }
  const bad = (why = `數量${quoted(value)}不正確（欄位 ${key}）：請送正整數，例如 1`): never => {
    throw new Refusal('bad_quantity', key, why)
  }
  if (typeof value === 'boolean') return bad()
  if (typeof value === 'string' && isGrouped(value))
    return bad(`數量${quoted(value)}（欄位 ${key}）的小數點也可能是千分位：請送沒有小數點的整數`)
  const own = typeof value === 'string' ? ownUnit(value, mapping) : null
  const split =
    own ?? (typeof value === 'string' ? sizeIn(value) : { figure: String(value), unit: undefined })
  if (typeof value === 'string' && /[%％]|NT\$|US\$|\$|USD|TWD|元/i.test(value))
    throw unfit(said, 'bad', strategy)
  if (!split) return bad()
  const named = UNIT_OF_NAME[said.field]
  const units = [split.unit, named, spoken?.unit].filter((unit) => unit !== undefined && unit !== 'own')
  const factors = new Set(units.map((unit) => factorOf(unit as SizeUnit, strategy)))
  if (factors.has(null))
    throw unfit(
      said,
      units.find((unit) => factorOf(unit as SizeUnit, strategy) === null) as SizeUnit,
      strategy,
    )
  if (factors.size > 1)
    throw new Refusal(
      'contradiction',
      key,
      `欄位 ${key}${quoted(value)}的單位與訊息裡另一處不同：請只寫一種單位`,
    )
  const factor = [...factors][0] ?? (bare === undefined ? sizeOf(strategy) : factorOf(bare, strategy))
  if (factor === null || factor === undefined) throw unfit(said, bare ?? 'bad', strategy)
  const n = typeof value === 'number' ? integerOf(value) : integerOf(split.figure)
  if (n === null || n < 1 || n * factor > MOST) return bad()
  return { kind: 'size', n: n * factor, key }
}

/** A unit by the webhook's own word for it. */
function ownUnit(value: string, mapping: Mapping | null): { figure: string; unit: SizeUnit } | null {
  if (!mapping) return null
  const m = /^([+-]?[\d.,]+)\s*(\D+)$/.exec(value.normalize('NFKC').trim())
  const word = m?.[2]?.trim().toLowerCase()
  const hit = Object.entries(mapping.units).find(([key]) => key !== '' && key.trim().toLowerCase() === word)
  return hit ? { figure: m?.[1] as string, unit: hit[1] } : null
}

/** Lots or shares in one of a unit under a strategy; null when the unit does not go with it. */
function factorOf(unit: SizeUnit, strategy: PayloadStrategy): number | null {
  if (unit === 'bad') return null
  if (unit === 'own') return sizeOf(strategy)
  if (assetOf(strategy) === 'futures')
    return unit === 'lot' || unit === 'lots' || unit === 'contract' ? 1 : null
  if (unit === 'lot') return null
  return unit === 'share' || unit === 'contract' ? 1 : BOARD_LOT
}

function unfit(said: Said, unit: SizeUnit, strategy: PayloadStrategy): Refusal {
  const asset = assetOf(strategy)
  const other = ASSETS.find((one) => one !== asset) ?? asset
  const why =
    unit === 'bad'
      ? '是百分比、金額或風險'
      : `是${ASSET_FACTS[other].name}的單位，這個策略是${ASSET_FACTS[asset].name}`
  return new Refusal(
    'bad_unit',
    said.key,
    `數量${quoted(said.value)}（欄位 ${said.key}）${why}：請改送${WANTED[asset]}`,
  )
}

const WANTED: Record<Asset, string> = {
  futures: '口數，例如 "quantity":1',
  stock: '張數或股數，例如 "張數":1 或 "股數":1000',
}

const OPENS: ReadonlySet<Action> = new Set(['buy', 'sell', 'long_entry', 'short_entry', 'add', 'reverse'])

/** The quantity of an action's record: entries fall back to the default, exits to null (all). Throws a Refusal. */
export function quantityOf(
  action: Action,
  size: Size,
  strategy: PayloadStrategy,
): { quantity: number | null; flags: Flag[] } {
  const usual = strategy.default_quantity * sizeOf(strategy)
  const fixed = strategy.quantity_mode === 'fixed'
  const none = { quantity: null, flags: [] }
  switch (action) {
    case 'target':
      return { quantity: size.kind === 'size' ? size.n : null, flags: [] }
    case 'close_all':
      return none
    case 'long_exit':
    case 'short_exit':
      return fixed || size.kind !== 'size' ? none : { quantity: size.n, flags: [] }
    case 'reverse':
      if (fixed) return { quantity: usual, flags: [] }
      if (size.kind !== 'size') return none
      return { quantity: bounded(size, strategy), flags: [] }
    default: {
      if (fixed) return { quantity: usual, flags: [] }
      if (size.kind === 'none') return { quantity: usual, flags: ['default_quantity'] }
      if (size.kind === 'all') throw new Refusal('bad_quantity', null, '「全部」只能用在出場：進場請寫出數量')
      return { quantity: OPENS.has(action) ? bounded(size, strategy) : size.n, flags: [] }
    }
  }
}

function bounded(size: Size & { kind: 'size' }, strategy: PayloadStrategy): number {
  if (tooMuch(size.n, strategy))
    throw new Refusal('bad_quantity', size.key, tooMuchReason(size.key, size.n, strategy))
  return size.n
}

/** Ten times what the strategy may hold, or more. */
export function tooMuch(n: number, strategy: PayloadStrategy): boolean {
  return Math.abs(n) >= TIMES_MAX * strategy.max_position * sizeOf(strategy)
}

export function tooMuchReason(key: string, n: number, strategy: PayloadStrategy): string {
  const unit = ASSET_FACTS[assetOf(strategy)].counted
  const most = strategy.max_position * sizeOf(strategy)
  return `數量 ${n.toLocaleString('en-US')} ${unit}（欄位 ${key}）是部位上限 ${most.toLocaleString('en-US')} ${unit}的十倍以上：請檢查數量的單位，或到策略設定調高上限`
}

// Units of size: what a number counts (domain §4.8, rule 5).
/** `lots`: the English word, 張 on stock; `contract`: lots on futures, shares on stock; `own`: the strategy's own unit; `bad`: percent, money, risk. */
export type SizeUnit = Unit | 'lots' | 'contract' | 'own' | 'bad'

const UNITS = table<SizeUnit>({
  lot: '口',
  lots: 'lot lots',
  contract: 'contract contracts ct cts',
  board_lot: 'board_lot board_lots 張 common common_lot round_lot 整股',
  share: 'share shares shr shrs 股 零股 odd odd_lot intraday_odd 盤中零股',
  own: 'fixed fixed_quantity quantity qty unit units fixed_size base absolute 固定',
  bad: 'percent pct percentage percent_of_equity percent_of_cash percent_of_position percent_of_balance equity_percent risk_percent risk_dollar_amount dollar_amount cash usd usdt twd ntd dollar dollars 元 塊 萬 萬元 % money notional quote amount value risk r 成 趴 百分比 金額 half quarter partial partially 半 一半 半數 部分 部份',
})

/** What a unit's word says, undefined when nobody knows it. */
export function unitOfWord(text: string): SizeUnit | undefined {
  const bare = text.normalize('NFKC').trim()
  if (bare === '%') return 'bad'
  return UNITS.get(wordOf(bare))
}
