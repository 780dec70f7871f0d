// Switches beside an order that say whether it opens, closes or turns round (domain §4.8, rule 3).

import { quoted, Refusal } from './refusal.ts'
import { every, type Said, type Uses } from './uses.ts'
import { switchOf } from './values.ts'
import { keyName } from './vocabulary/spell.ts'
import { openCloseOf } from './vocabulary/words.ts'

export interface Switched {
  what: 'open' | 'close' | 'reverse'
  said: Said
}

/** 新平倉別, reduce-only, close-position, reverse: true; null when none is on. Throws a Refusal. */
export function switches(uses: Uses): Switched | null {
  let found: Switched | null = null
  const set = (what: Switched['what'], said: Said) => {
    if (found && found.what !== what)
      throw new Refusal(
        'contradiction',
        said.key,
        `欄位 ${found.said.key} 與 ${said.key} 互相矛盾：請只留一個`,
      )
    found ??= { what, said }
  }
  for (const said of every(uses, 'open_close')) {
    const flag = openCloseOf(String(said.value), keyName(said.key))
    if (flag === undefined)
      throw new Refusal(
        'unknown_field',
        said.key,
        `看不懂新平倉別${quoted(said.value)}（欄位 ${said.key}）：請送 open 或 close`,
      )
    if (flag !== 'auto') set(flag, said)
  }
  for (const said of every(uses, 'reduce_only', 'close_position', 'reverse')) {
    const on = switchOf(said.value)
    if (on === null)
      throw new Refusal(
        'unknown_field',
        said.key,
        `欄位 ${said.key}${quoted(said.value)}不是 true 或 false：請改用 action 說明`,
      )
    if (on) set(said.field === 'reverse' ? 'reverse' : 'close', said)
  }
  return found
}
