// How much a message asks for, in lots or shares; sizes in percent, money or risk are refused (domain §4.8, rules 4–5).
import { ASSET_FACTS, assetOf, BOARD_LOT } from '../kinds.ts'
import { type Action, ASSETS, type Asset, type Flag, type Unit } from '../record.ts'
import type { Mapping, PayloadStrategy } from './shape.ts'
import { every, type Said, type Uses } from './uses.ts'
import {
  filled,
  halfWidth,
  integerOf,
  isGrouped,
  numberOf,
  positionFactor,
  quoted,
  Refusal,
  refusal,
  sizeOf,
  twice,
} from './values.ts'
import { type FieldName, type HeldSide, meaningOf, table, type Verb, wordOf } from './words.ts'

const ALL = new Set(['all', '全部', '全', 'full', 'max', 'close_all', 'everything', '100%'])
const MOST = 999_999_999
/** Entries and targets from so many times the strategy's limit on are no order but a mistake in the unit. */
const TIMES_MAX = 10
const SIZE_FIELDS = ['quantity', 'contracts', 'lots', 'futures_lots', 'board_lots', 'shares'] as const
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
  const spoken = unitSaid(uses)
  let size: Size = { kind: 'none' }
  let from: Said | undefined
  for (const said of every(uses, ...SIZE_FIELDS)) {
    const next = one(said, spoken, strategy, mapping)
    const same = next.kind === size.kind && (next.kind !== 'size' || next.n === (size as { n: number }).n)
    if (from && !same) throw twice('數量', from, said)
    size = next
    from = said
  }
  const money = every(uses, 'money').find(({ value }) => numberOf(value) !== 0 && value !== false)
  if (money) throw unfit(money, 'bad', strategy)
  return size
}

function unitSaid(uses: Uses): SizeUnit | undefined {
  let found: { said: Said; unit: SizeUnit } | undefined
  for (const said of every(uses, 'unit')) {
    // Fugle's ap_code: 1 is the common lot; its other codes are other lots.
    const common = /^ap_?code$/i.test(said.key) && String(said.value) === '1'
    if (!common && (typeof said.value !== 'string' || numberOf(said.value) !== null))
      throw refusal('unknown_field', said, '是單位還是數量不確定：請改用 quantity')
    const unit = common ? 'board_lot' : unitOfWord(String(said.value))
    if (unit === undefined || unit === 'bad')
      throw refusal('bad_unit', said, '不是口、張或股：請改送口數、張數或股數')
    if (found && found.unit !== unit) throw twice('單位', found.said, said)
    found = { said, unit }
  }
  return found?.unit
}

function one(
  said: Said,
  spoken: SizeUnit | undefined,
  strategy: PayloadStrategy,
  mapping: Mapping | null,
): Size {
  const { value } = said
  const text = filled(said)
  if (isAll(text) && text.trim() !== '100%') return { kind: 'all' }
  const bad = () => refusal('bad_quantity', said, '不是正確的數量：請送正整數，例如 1')
  if (typeof value === 'boolean' || (typeof value === 'string' && isGrouped(value))) throw bad()
  if (/[%％]|NT\$|US\$|\$|USD|TWD|元/i.test(text)) throw unfit(said, 'bad', strategy)
  const split =
    ownUnit(text, mapping) ?? (typeof value === 'string' ? sizeIn(value) : { figure: text, unit: undefined })
  if (!split) throw bad()
  const units: (SizeUnit | undefined)[] = [split.unit, UNIT_OF_NAME[said.field], spoken].filter(
    (unit) => unit !== undefined && unit !== 'own',
  )
  // What a bare figure counts, a mapping may say.
  const bare = (said.mapped || said.field === 'quantity') && mapping?.units['']
  if (units.length === 0) units.push(bare || 'own')
  const factors = units.map((unit) => factorOf(unit as SizeUnit, strategy))
  const [factor = null] = factors
  const wrong = factors.indexOf(null)
  if (factor === null || wrong >= 0) throw unfit(said, units[wrong] ?? 'bad', strategy)
  if (factors.some((other) => other !== factor))
    throw refusal('contradiction', said, '的單位與訊息裡另一處不同：請只寫一種單位')
  const n = typeof value === 'number' ? integerOf(value) : integerOf(split.figure)
  if (n === null || n < 1 || n * factor > MOST) throw bad()
  return { kind: 'size', n: n * factor, key: said.key }
}

/** A unit by the webhook's own word for it. */
function ownUnit(value: string, mapping: Mapping | null): { figure: string; unit: SizeUnit } | null {
  const m = mapping && /^([+-]?[\d.,]+)\s*(\D+)$/.exec(value.normalize('NFKC').trim())
  const word = m?.[2]?.trim().toLowerCase()
  const hit =
    m && Object.entries(mapping.units).find(([key]) => key !== '' && key.trim().toLowerCase() === word)
  return hit ? { figure: m[1] as string, unit: hit[1] } : null
}

/** Lots or shares in one of a unit under a strategy; null when the unit does not go with it. */
function factorOf(unit: SizeUnit, strategy: PayloadStrategy): number | null {
  if (unit === 'bad') return null
  if (unit === 'own') return sizeOf(strategy)
  if (assetOf(strategy) === 'futures') return ['lot', 'lots', 'contract'].includes(unit) ? 1 : null
  if (unit === 'lot') return null
  return unit === 'share' || unit === 'contract' ? 1 : BOARD_LOT
}

function unfit(said: Said, unit: SizeUnit, strategy: PayloadStrategy): Refusal {
  const asset = assetOf(strategy)
  const other = ASSET_FACTS[ASSETS.find((one) => one !== asset) ?? asset].name
  const why =
    unit === 'bad' ? '像是金額、百分比或風險' : `是${other}的單位，這個策略是${ASSET_FACTS[asset].name}`
  return refusal('bad_unit', said, `${why}：請改送${WANTED[asset]}，或在訊息格式裡選「不看」`)
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
  const said = size.kind === 'size' ? size.n : null
  const fixed = strategy.quantity_mode === 'fixed'
  if (action === 'target') return { quantity: said, flags: [] }
  if (action === 'close_all') return { quantity: null, flags: [] }
  if (action === 'long_exit' || action === 'short_exit') return { quantity: fixed ? null : said, flags: [] }
  const usual = strategy.default_quantity * sizeOf(strategy)
  if (fixed) return { quantity: usual, flags: [] }
  if (size.kind === 'size') {
    if (OPENS.has(action)) bounded(size.n, size.key, strategy)
    return { quantity: said, flags: [] }
  }
  if (action === 'reverse') return { quantity: null, flags: [] }
  if (size.kind === 'none') return { quantity: usual, flags: ['default_quantity'] }
  throw new Refusal('bad_quantity', null, '「全部」只能用在出場：進場請寫出數量')
}

/** Ten times what the strategy may hold, or more. */
export function tooMuch(n: number, strategy: PayloadStrategy): boolean {
  return Math.abs(n) >= TIMES_MAX * strategy.max_position * sizeOf(strategy)
}

/** Throws a Refusal where it is too much. */
export function bounded(n: number, key: string | null, strategy: PayloadStrategy): void {
  if (!tooMuch(n, strategy)) return
  const unit = ASSET_FACTS[assetOf(strategy)].counted
  const counted = (count: number) => `${count.toLocaleString('en-US')} ${unit}`
  const most = counted(strategy.max_position * sizeOf(strategy))
  const why = `數量 ${counted(Math.abs(n))}（欄位 ${key}）是部位上限 ${most}的十倍以上：請檢查數量的單位，或到策略設定調高上限`
  throw new Refusal('bad_quantity', key, why)
}

// Units of size: what a number counts (domain §4.8, rule 5).
/** `lots`: the English word, 張 on stock; `contract`: lots on futures, shares on stock; `own`: the strategy's own unit; `bad`: percent, money, risk. */
type SizeUnit = Unit | 'lots' | 'contract' | 'own' | 'bad'

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
  return bare === '%' ? 'bad' : UNITS.get(wordOf(bare))
}

// The position a sender reports, signed: position_size, or market_position with its size (domain §4.5, rule 8).

const REPORTED_MOST = 999_999_999
const ABSOLUTE: ReadonlySet<FieldName> = new Set([
  'market_position',
  'market_size',
  'prev_market_position',
  'prev_market_size',
])

/** The position after the order in lots or shares; null when none is reported. Throws a Refusal. */
export function positionAfter(uses: Uses, strategy: PayloadStrategy, mapping: Mapping | null): number | null {
  const after = signed(uses, ['position', 'market_position', 'market_size'], strategy, mapping)
  // TradingView's position_size is in shares; what another sender calls a position may be 張 on a strategy that counts them.
  const said = every(uses, 'position').find(({ key }) => !/position_?size$/i.test(key))
  const unclear = strategy.unit === 'board_lot' && mapping?.units[''] === undefined
  if (after !== null && after % BOARD_LOT !== 0 && unclear && said)
    throw refusal(
      'bad_unit',
      said,
      '是張還是股不確定：請改送 position_size（股數），或在訊息格式裡說明數量的單位',
    )
  return after
}

/** The position before the order; null when none is reported, or it cannot be read: it only serves to notice a gap. */
export function positionBefore(
  uses: Uses,
  strategy: PayloadStrategy,
  mapping: Mapping | null,
): number | null {
  try {
    return signed(uses, ['prev', 'prev_market_position', 'prev_market_size'], strategy, mapping)
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'contradiction') return null
    throw error
  }
}

function signed(
  uses: Uses,
  fields: readonly FieldName[],
  strategy: PayloadStrategy,
  mapping: Mapping | null,
): number | null {
  const all = every(uses, ...fields)
  if (all.length === 0) return null
  const sides = new Set<number>()
  const sizes = new Set<number>()
  for (const said of all) {
    const { side, size } = partOf(said)
    if (side !== null) sides.add(side)
    if (size === null) continue
    sizes.add(Math.abs(size))
    // A size beside a word is absolute; position_size has its sign in itself.
    if (size < 0 || (size > 0 && !ABSOLUTE.has(said.field))) sides.add(Math.sign(size))
  }
  const [side] = sides
  const [size] = sizes
  if (
    sides.size > 1 ||
    sizes.size > 1 ||
    (side !== undefined && size !== undefined && (side === 0) !== (size === 0))
  ) {
    const both = all.map(({ key, value }) => `${key}${quoted(value)}`).join('、')
    throw new Refusal('contradiction', all[0]?.key ?? null, `部位的寫法互相矛盾：${both}，請檢查是哪一個不對`)
  }
  if (side === 0 || size === 0) return 0
  // A word alone ("long") says no size, an absolute size alone no side: the order's own action decides then.
  if (side === undefined || size === undefined) return null
  const factor = positionFactor(strategy, mapping)
  if (size * factor > REPORTED_MOST)
    throw new Refusal('bad_quantity', all[0]?.key ?? null, '部位超過 999,999,999：請檢查數量單位')
  return (
    side * (strategy.quantity_mode === 'fixed' ? strategy.default_quantity * sizeOf(strategy) : size * factor)
  )
}

function partOf(said: Said): { side: 1 | -1 | 0 | null; size: number | null } {
  const { value, field } = said
  const side = sideOf(wordOf(filled(said)))
  if (side !== null) return { side, size: null }
  const grouped = typeof value === 'string' && isGrouped(value.replace(/^[+-]/, ''))
  const size = grouped ? null : integerOf(value)
  if (size === null || Math.abs(size) > REPORTED_MOST)
    throw refusal('bad_quantity', said, '不是正確的部位：請送整數，空單為負數')
  // MultiCharts' MarketPosition is a side, its CurrentContracts the size.
  if (Math.abs(size) === 1 && /market_position$/.test(field)) return { side: size === 1 ? 1 : -1, size: null }
  return { side: null, size }
}

const SIDES = new Map<string, 1 | -1 | 0>([
  ...['long', '多', '多單'].map((word) => [word, 1] as const),
  ...['short', '空', '空單'].map((word) => [word, -1] as const),
  ...['flat', '空手', '無部位'].map((word) => [word, 0] as const),
])
/** Words for where a position stands are one closed set: whoever says one of them says all of them. */
export const POSITION_WORDS: readonly string[] = [...SIDES.keys()]

/** The sign of a word for a position; null when it is none. */
export function sideOf(word: string): 1 | -1 | 0 | null {
  return SIDES.get(word) ?? null
}

/** What an order asks for, as far as its words go. */
interface Going {
  verb: Verb | null
  neutral: 'buy' | 'sell' | null
  side: HeldSide | null
  key: string
}

/** Whether the position can only grow (1) or shrink (-1) by it; 0 where the words do not say. */
export function wayOf({ verb, neutral, side }: Omit<Going, 'key'>): 1 | -1 | 0 {
  if (neutral !== null) return neutral === 'buy' ? 1 : -1
  if (side === null || verb === null) return 0
  return isOpening(verb) === (side === 'long') ? 1 : -1
}

export const isOpening = (verb: Verb | null): boolean =>
  verb === 'entry' || verb === 'add' || verb === 'reverse'

// A word for the position beside an action: `close` with `position: long` leaves the long one, `buy` with `position: short` is two orders
// (domain §4.5, rule 8).
/** The side of an action when the position's word is heard, too. Throws a Refusal where both cannot be. */
export function besidePosition(uses: Uses, { verb, neutral, side, key }: Going): HeldSide | null {
  let now = side
  for (const said of every(uses, 'position', 'market_position')) {
    const word = meaningOf(String(said.value))
    if (word?.side === undefined || word.verb !== undefined) continue
    const after = said.field === 'market_position'
    const bare = neutral === null ? null : neutral === 'buy' ? 'long' : 'short'
    const going = verb === null ? bare : now
    // What TradingView reports is what is held afterwards: an exit or a bare order may leave either side.
    if (going !== null && going !== word.side && (!after || isOpening(verb)))
      throw refusal(
        'contradiction',
        said,
        `與 ${key} 的方向互相矛盾：請改成一致，或改送 long_exit、short_exit`,
      )
    if (!after && verb !== null) now = word.side
  }
  return now
}

/** long before and short after is no buying: TradingView's two words must lead the way the action goes. Throws a Refusal. */
export function ledByWords(uses: Uses, going: Going): void {
  const signOf = (field: 'market_position' | 'prev_market_position') => {
    const said = every(uses, field)[0]
    return said ? sideOf(wordOf(String(said.value))) : null
  }
  const before = signOf('prev_market_position')
  const after = before === null ? null : signOf('market_position')
  if (before === null || after === null) return
  if ((after - before) * wayOf(going) < 0)
    throw new Refusal(
      'contradiction',
      going.key,
      `動作與部位互相矛盾：${going.key} 說的方向不會從委託前的部位變成委託後的部位，請檢查是哪一個不對`,
    )
}
