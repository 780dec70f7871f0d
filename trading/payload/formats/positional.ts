// Two senders' own orders: PineConnector's `license,command,symbol,key=value…` and Autoview's one-letter names.
import type { Leaf } from '../leaf.ts'
import { meaningOf } from '../vocabulary/words.ts'
import { type Format, type Message, type UnreadMessage, unread } from './message.ts'

export const pineConnector: Format = {
  id: 'pine-connector',
  read(text) {
    const cells = text.split(',').map((cell) => cell.trim())
    const [license = '', command = '', symbol = '', ...rest] = cells
    if (!/^\d{6,20}$/.test(license) || symbol === '' || symbol.includes('=') || meaningOf(command) === null)
      return null
    if (text.includes('\n') || !rest.every((cell) => /^[^=]{1,40}=[^=]*$/.test(cell))) return null
    // The licence is an account: it is not kept.
    return named(
      [['action', command], ['symbol', symbol], ...pairsOf(rest)],
      [command, symbol, ...rest].join(','),
    )
  },
}

const AUTOVIEW: Readonly<Record<string, string>> = {
  e: 'exchange',
  s: 'symbol',
  b: 'side',
  q: 'quantity',
  t: 'order_type',
  p: 'price',
  // What it closes or cancels is no order of its own.
  c: 'close_or_cancel',
}

export const autoview: Format = {
  id: 'autoview',
  read(text, body) {
    const tokens = text.trim().split(/\s+/)
    if (!tokens.every((token) => /^[a-z]{1,6}=[^=]*$/.test(token))) return null
    const pairs = pairsOf(tokens)
    const has = (name: string) => pairs.some(([key]) => key === name)
    if (!has('s') || !has('b')) return null
    return named(pairs, body, AUTOVIEW)
  },
}

function pairsOf(cells: readonly string[]): [string, string][] {
  return cells.map((cell) => {
    const eq = cell.indexOf('=')
    return [cell.slice(0, eq).trim(), cell.slice(eq + 1).trim()]
  })
}

/** `meanings`: what the sender's own keys are called elsewhere; reasons name the keys as they were written. */
function named(
  pairs: readonly (readonly [string, string])[],
  clean: string,
  meanings: Readonly<Record<string, string>> = {},
): Message | UnreadMessage {
  const leaves: Leaf[] = []
  for (const [key, value] of pairs) {
    const name = meanings[key] ?? key
    if (leaves.some((leaf) => leaf.name === name))
      return unread('duplicate_key', `欄位「${key}」出現兩次：請只留一個`, key)
    leaves.push({ path: key, name, wrote: key, value, zone: 'order', inside: [] })
  }
  return { kind: 'message', shape: 'pairs', leaves, secret: null, clean }
}
