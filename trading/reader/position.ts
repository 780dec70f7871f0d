// The position a sender reports, signed: position_size, or market_position with its size (domain §4.5, rule 8).
import { BOARD_LOT } from '../kinds.ts'
import type { Mapping, PayloadStrategy } from './shape.ts'
import { every, type Said, type Uses } from './uses.ts'
import {
  integerOf,
  isGrouped,
  placeholderIn,
  positionFactor,
  quoted,
  Refusal,
  sizeOf,
  unfilled,
} from './values.ts'
import { type FieldName, wordOf } from './vocabulary.ts'
import { type HeldSide, meaningOf, type Verb } from './words.ts'

const MOST = 999_999_999
const ABSOLUTE: ReadonlySet<FieldName> = new Set([
  'market_position',
  'market_size',
  'prev_market_position',
  'prev_market_size',
])

/** The position after the order in lots or shares; null when none is reported. Throws a Refusal. */
export function positionAfter(uses: Uses, strategy: PayloadStrategy, mapping: Mapping | null): number | null {
  const after = signed(uses, ['position', 'market_position', 'market_size'], strategy, mapping)
  if (after !== null) inLots(uses, after, strategy, mapping)
  return after
}

/** TradingView's position_size is in shares; what another sender calls a position may be 張 on a strategy that counts them. */
function inLots(uses: Uses, after: number, strategy: PayloadStrategy, mapping: Mapping | null): void {
  if (strategy.unit !== 'board_lot' || after % BOARD_LOT === 0 || mapping?.units[''] !== undefined) return
  const said = every(uses, 'position').find(({ key }) => !/position_?size$/i.test(key))
  if (said)
    throw new Refusal(
      'bad_unit',
      said.key,
      `不確定部位${quoted(said.value)}（欄位 ${said.key}）是張還是股：請改送 position_size（股數），或在訊息格式裡說明數量的單位`,
    )
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

interface Part {
  said: Said
  side: 1 | -1 | 0 | null
  size: number | null
}

function signed(
  uses: Uses,
  fields: readonly FieldName[],
  strategy: PayloadStrategy,
  mapping: Mapping | null,
): number | null {
  const parts = every(uses, ...fields).map(partOf)
  if (parts.length === 0) return null
  const sides = new Set<number>()
  const sizes = new Set<number>()
  let positive = false
  for (const { said, side, size } of parts) {
    if (side !== null) sides.add(side)
    if (size === null) continue
    sizes.add(Math.abs(size))
    if (size < 0) sides.add(-1)
    // A size beside a word is absolute; position_size has its sign in itself.
    else if (size > 0 && !ABSOLUTE.has(said.field)) positive = true
  }
  if (positive && sides.has(-1)) disagree(parts)
  if (positive) sides.add(1)
  if (sides.size > 1 || sizes.size > 1) disagree(parts)
  if (sides.has(0)) {
    if ([...sizes].some((n) => n !== 0)) disagree(parts)
    return 0
  }
  // A word alone ("long") says no size, an absolute size alone no side: the order's own action decides then.
  if (sizes.size === 0) return null
  if (sizes.has(0)) {
    if (sides.size > 0) disagree(parts)
    return 0
  }
  if (sides.size === 0) return null
  const size = [...sizes][0] as number
  const side = [...sides][0] as number
  const factor = positionFactor(strategy, mapping)
  const value = side * size
  if (Math.abs(value) * factor > MOST)
    throw new Refusal('bad_quantity', parts[0]?.said.key ?? null, '部位超過 999,999,999：請檢查數量單位')
  return strategy.quantity_mode === 'fixed'
    ? Math.sign(value) * strategy.default_quantity * sizeOf(strategy)
    : value * factor
}

function partOf(said: Said): Part {
  const { value, key } = said
  if (typeof value === 'string') {
    const variable = placeholderIn(value)
    if (variable) throw new Refusal('unresolved_placeholder', variable, unfilled(variable))
  }
  const side = sideOf(wordOf(String(value)))
  if (side !== null) return { said, side, size: null }
  const grouped = typeof value === 'string' && isGrouped(value.replace(/^[+-]/, ''))
  const size = grouped ? null : integerOf(value)
  if (size === null || Math.abs(size) > MOST)
    throw new Refusal('bad_quantity', key, `部位${quoted(value)}不正確（欄位 ${key}）：請送整數，空單為負數`)
  // MultiCharts' MarketPosition is a side, its CurrentContracts the size.
  if (Math.abs(size) === 1 && /market_position$/.test(said.field))
    return { said, side: size === 1 ? 1 : -1, size: null }
  return { said, side: null, size }
}

function disagree(parts: readonly Part[]): never {
  const all = parts.map(({ said }) => `${said.key}${quoted(said.value)}`).join('、')
  throw new Refusal(
    'contradiction',
    parts[0]?.said.key ?? null,
    `部位的寫法互相矛盾：${all}，請檢查是哪一個不對`,
  )
}

const SIDES: Readonly<Record<string, 1 | -1 | 0>> = {
  long: 1,
  多: 1,
  多單: 1,
  short: -1,
  空: -1,
  空單: -1,
  flat: 0,
  空手: 0,
  無部位: 0,
}

/** The sign of a word for a position; null when it is none. */
export function sideOf(word: string): 1 | -1 | 0 | null {
  return Object.hasOwn(SIDES, word) ? (SIDES[word] as 1 | -1 | 0) : null
}

// A word for the position beside an action: `close` with `position: long` leaves the long one, `buy` with `position: short` is two orders
// (domain §4.5, rule 8).
interface Going {
  verb: Verb | null
  neutral: 'buy' | 'sell' | null
  side: HeldSide | null
  key: string
}

/** The side of an action when the position's word is heard, too. Throws a Refusal where both cannot be. */
export function besidePosition(uses: Uses, { verb, neutral, side, key }: Going): HeldSide | null {
  let now = side
  for (const said of every(uses, 'position', 'market_position')) {
    const word = meaningOf(String(said.value))
    if (word?.side === undefined || word.verb !== undefined) continue
    const after = said.field === 'market_position'
    const opens = verb === 'entry' || verb === 'add' || verb === 'reverse'
    const going = verb === null ? (neutral === 'buy' ? 'long' : neutral === 'sell' ? 'short' : null) : now
    // What TradingView reports is what is held afterwards: an exit or a bare order may leave either side.
    if (after ? opens && now !== null && now !== word.side : going !== null && going !== word.side)
      throw new Refusal(
        'contradiction',
        said.key,
        `動作與部位互相矛盾：${key} 說的方向與 ${said.key}${quoted(said.value)}不同，請改成一致，或改送 long_exit、short_exit`,
      )
    if (!after && verb !== null) now = word.side
  }
  return now
}

/** long before and short after is no buying: TradingView's two words must lead the way the action goes. Throws a Refusal. */
export function ledByWords(uses: Uses, { verb, neutral, side, key }: Going): void {
  const signOf = (field: 'market_position' | 'prev_market_position') => {
    const said = every(uses, field)[0]
    return said ? sideOf(wordOf(String(said.value))) : null
  }
  const before = signOf('prev_market_position')
  const after = before === null ? null : signOf('market_position')
  if (before === null || after === null) return
  const opens = verb === 'entry' || verb === 'add' || verb === 'reverse'
  const up = neutral === 'buy' || (side !== null && verb !== null && opens === (side === 'long'))
  const down = neutral === 'sell' || (side !== null && verb !== null && opens !== (side === 'long'))
  if (up ? after < before : down && after > before)
    throw new Refusal(
      'contradiction',
      key,
      `動作與部位互相矛盾：${key} 說的方向不會從委託前的部位變成委託後的部位，請檢查是哪一個不對`,
    )
}
