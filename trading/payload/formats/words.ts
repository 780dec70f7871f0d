// An order in words, `BUY 2 lots MXF1! @ 46500`, `買進 台指期 2口 價格 46500`: read only when every word is one of an order's.
import { stockName } from '../../stocks.ts'
import { resolveSymbol } from '../../symbols.ts'
import { isSize, sizeIn } from '../amount.ts'
import type { Leaf } from '../leaf.ts'
import { halfWidth } from '../values.ts'
import { fieldOfName } from '../vocabulary/names.ts'
import { wordOf } from '../vocabulary/spell.ts'
import { unitOfWord } from '../vocabulary/units.ts'
import { meaningOf } from '../vocabulary/words.ts'
import { isNumber } from './event-line.ts'
import { type Format, SEVERAL, unread } from './message.ts'

/** Words that only join the others. */
const JOINTS = new Set(['at', '@', '以', '於', '價', '價格', '成交價', 'price', 'limit', '限價', ':', '：'])
const TOKENS_MOST = 12

export const words: Format = {
  id: 'words',
  read(text, body, loose) {
    const tokens = halfWidth(text.slice(0, 400))
      .replace(/@/g, ' @ ')
      .replace(/[，,、;；|]\s/g, ' ')
      .split(/\s+/)
      .filter((token) => token !== '')
    if (text.length > 400 || tokens.length < 3 || tokens.length > TOKENS_MOST) return null
    const leaves: Leaf[] = []
    const say = (name: string, value: string, i: number) =>
      leaves.push({ path: `#${i + 1}`, name, value, zone: 'order', inside: [] })
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i] as string
      const next = tokens[i + 1] ?? ''
      // with its blank, as the sender wrote it: a reason quotes it
      const two = `${token} ${next}`
      if (next !== '' && meaningOf(two)?.verb !== undefined) {
        say('action', two, i)
        i += 1
      } else if (meaningOf(token) !== null) say('action', token, i)
      else if (JOINTS.has(token.toLowerCase()) && isNumber(next)) {
        say('price', next, i + 1)
        i += 1
      } else if (isSize(fieldOfName(token)) && isNumber(next)) {
        say(token, next, i + 1)
        i += 1
      } else if (isNumber(token) && unitOfWord(next) !== undefined) {
        say('quantity', `${token}${next}`, i)
        i += 1
      } else if (
        /^\d[\d,.]*\D/.test(token) &&
        sizeIn(token)?.unit !== undefined &&
        sizeIn(token) !== null &&
        !resolvable(token)
      )
        say('quantity', token, i)
      else if (loose && isNumber(token)) say('figure', token, i)
      else if (resolvable(token)) say('symbol', token, i)
      else return null
    }
    if (loose && !placed(leaves)) return null
    // A figure alone that stands for no stock that is known may be the price.
    const [symbol, ...others] = leaves.filter((leaf) => leaf.name === 'symbol')
    const figure = String(symbol?.value)
    if (others.length === 0 && /^\d{4,6}$/.test(figure) && stockName(figure) === figure)
      if (!leaves.some((leaf) => leaf.name === 'price')) return null
    const has = (name: string) => leaves.some((leaf) => leaf.name === name)
    // BUY STOP places an order that waits for its price; only alone the word may mean that a stop was hit.
    const actions = leaves.filter((leaf) => leaf.name === 'action')
    if (actions.length > 1 && actions.some((leaf) => wordOf(String(leaf.value)) === 'stop')) return null
    if (!has('action') || !has('symbol')) return null
    // The same order twice is two orders, on two lines or on one.
    const times = (name: string) => leaves.filter((leaf) => leaf.name === name).length
    if (times('symbol') > 1 && times('action') > 1) return unread('several_orders', SEVERAL)
    return { kind: 'message', shape: 'words', leaves, secret: null, clean: body }
  },
}

/** What a bare figure is: a stock that is listed, else the price; false where there are two of a kind. */
function placed(leaves: Leaf[]): boolean {
  const has = (name: string) => leaves.some((leaf) => leaf.name === name)
  const figures = leaves.filter(({ name }) => name === 'figure')
  if (figures.length > 0 && leaves.filter(({ name }) => name === 'action').length > 1) return false
  for (const leaf of figures) {
    const text = String(leaf.value)
    const code =
      /^\d{4,6}$/.test(text) && (stockName(text) !== text || (!has('symbol') && figures.length === 1))
    const as = code && !has('symbol') ? 'symbol' : 'price'
    const listed = /^\d{4,6}$/.test(text) && stockName(text) !== text
    if (as === 'price' && (has('price') || listed || /^\d{1,2}$/.test(text))) return false
    leaf.name = as
  }
  return true
}

function resolvable(token: string): boolean {
  return resolveSymbol(token, '2026-01-01T00:00:00.000Z') !== null
}
