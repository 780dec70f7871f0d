// The position a sender reports, signed: position_size, or market_position with its size (domain §4.5, rule 8).
import { BOARD_LOT } from '../kinds.ts'
import type { Mapping, PayloadStrategy } from './shape.ts'
import { every, type Said, type Uses } from './uses.ts'
import { filled, integerOf, isGrouped, positionFactor, quoted, Refusal, refusal, sizeOf } from './values.ts'
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
  if (size * factor > MOST)
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
  if (size === null || Math.abs(size) > MOST)
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
