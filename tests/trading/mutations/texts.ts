// Mutations of texts that are neither JSON nor pairs: sentences, event lines and cells, changed by their words.
import { type Base, FLIPPED } from './meaning.ts'
import type { Mutator } from './random.ts'

const isText = ({ body }: Base) => body.shape === 'text'

const TURNS: readonly [RegExp, string][] = [
  [/新買/, '新賣'],
  [/新賣/, '新買'],
  [/平買/, '平賣'],
  [/平賣/, '平買'],
  [/買進/, '賣出'],
  [/賣出/, '買進'],
  [/\bbuy\b/, 'sell'],
  [/\bsell\b/, 'buy'],
]
export const textTurned: Mutator = (base) => {
  if (!isText(base)) return null
  const turn = TURNS.find(([from]) => from.test(base.entry.body))
  if (!turn) return null
  const body = base.entry.body.replace(...turn)
  const action = base.meant.action === 'target' ? 'target' : FLIPPED[base.meant.action]
  return { body, allowed: action ? [{ ...base.meant, action }] : [] }
}

/** A product of another exchange, or another product of this one, in the place of the message's. */
export const textElsewhere: Mutator = (base, random) => {
  const product = /(?:TAIFEX:)?[A-Z]{3}(?:1!|R1)|\d{4}\.TW|TC\.[FS]\.[A-Z]+\.[\w.]+/
  if (!isText(base) || !product.test(base.entry.body)) return null
  const other = random.one(['BTCUSDT', 'ES1!', 'FXF1!', 'AAPL', 'ZZF1!', 'XIF1!']) as string
  return { body: base.entry.body.replace(product, other), allowed: [] }
}

export const textTwice: Mutator = (base, random) => {
  if (!isText(base)) return null
  const text = base.entry.body.trim()
  const second = random.flip() ? text : text.replace(/新買|buy|買進|突破/, '平賣')
  return { body: `${text}${random.one(['\n', '\r\n', '\n\n'])}${second}`, allowed: [] }
}

/** The sentence's or the line's size in another unit, or not a whole one. */
export const textSize: Mutator = (base, random) => {
  if (!isText(base)) return null
  const sized = [/@ (\d+) filled/, /qty=(\d+)/].find((form) => form.test(base.entry.body))
  if (!sized) return null
  const tail = random.one(['%', '.5', ' USD', 'x', ',5', '-3']) as string
  const body = base.entry.body.replace(sized, (whole, n: string) => whole.replace(n, `${n}${tail}`))
  return { body, allowed: base.meant.action === 'target' ? [base.meant] : [] }
}

export const textTail: Mutator = (base, random) => {
  if (!isText(base)) return null
  const tail = random.one([' ', '\n', '\r\n', '\t', ' \n '])
  return { body: `${random.one(['', '\ufeff', '\n', ' '])}${base.entry.body}${tail}`, allowed: [base.meant] }
}
