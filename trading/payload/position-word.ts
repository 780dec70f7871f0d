// A word for the position beside an action: `close` with `position: long` leaves the long one, `buy` with `position: short` is two orders
// (domain §4.5, rule 8).

import { sideOf } from './position.ts'
import { quoted, Refusal } from './refusal.ts'
import { every, type Uses } from './uses.ts'
import { wordOf } from './vocabulary/spell.ts'
import { type HeldSide, meaningOf, type Verb } from './vocabulary/words.ts'

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
