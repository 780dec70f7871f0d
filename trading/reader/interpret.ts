// From the parts of a confirmed format to a signal. What the parts are and what the words mean was seen by a person; what is left to
// find out is what hangs on the figures, on the strategy's settings and on the day.

import { KINDS } from '../kinds.ts'
import type { Size } from './amount.ts'
import { type AskedDirection, askByDefault } from './direction.ts'
import type { Format, Meaning } from './format.ts'
import { readClock } from './lines.ts'
import { leafOf, type Matched } from './match.ts'
import type { PayloadInput, ReadAs, ReadOutcome } from './shape.ts'
import { type Asking, blankNormal, notTaken, signalFrom } from './signal.ts'
import { first, readingOf, type Said, textOf, type Uses } from './uses.ts'
import { Refusal } from './values.ts'

export type Read = Extract<ReadOutcome, { kind: 'signal' | 'rejected' }>

/** The signal of a matched message, or why this strategy does not take it. */
export function interpret(
  { format, values, meaning }: Omit<Matched, 'id'>,
  input: Omit<PayloadInput, 'body'>,
  kept: { secret: string | null; clean: string },
): Read {
  const uses = usesFrom(format, values)
  const normal = blankNormal(uses, input.received_at)
  const stored = { secret: kept.secret, body_without_secret: kept.clean }
  const asking: Asking = {
    printed: format.printed === true,
    mapping: format.mapping,
    ask(reported, size, symbol) {
      const most = symbol?.found.asset === 'stock' ? 100 : 1000
      if (size.kind === 'none' && bareFigure(format, values, most)) throw bare()
      return askOf(uses, answered(meaning, format), reported !== null, input)
    },
    after: (ask, size) => positionCounted(ask, size, format),
  }
  try {
    return { ...signalFrom(uses, normal, asking, input), ...stored }
  } catch (error) {
    const field = error instanceof Refusal ? error.field : null
    // What is refused by its words, test or state, was never confirmed.
    return notTaken(error, { normal, ...stored, reading: readingOf(uses, field) }) as Read
  }
}

/** A small whole figure in a line without a size, where no name says that it is the price: it may be the size. */
function bareFigure({ pattern, printed, fields }: Format, values: readonly unknown[], most: number): boolean {
  if (!pattern || printed) return false
  return pattern.some((piece, i) => {
    if (typeof piece !== 'number' || fields[piece]?.role !== 'price') return false
    const text = String(values[piece] ?? '')
    return /^\d{1,3}$/.test(text) && Number(text) < most && !/[\p{L}@]/u.test(String(pattern[i - 1] ?? ''))
  })
}

const bare = () =>
  new Refusal('contradiction', 'price', '沒有寫數量，而價格是很小的整數，它可能就是數量：請在訊息裡寫明數量')

/** What the words mean with what was answered of them once. */
function answered(meaning: Meaning | null, { answers }: Format): Meaning | null {
  if (meaning === null) return null
  const { verb, side } = meaning
  const out = verb === 'exit' || verb === 'close_all'
  if (answers.close_leaves === 'same' && out && side !== null)
    return { ...meaning, side: side === 'long' ? 'short' : 'long' }
  if (answers.contracts_mean === 'order' && verb === 'entry' && side !== null)
    return { ...meaning, verb: null, side: null, neutral: side === 'long' ? 'buy' : 'sell' }
  return meaning
}

/** The position afterwards where a person said that the figure is that, not the order's size. */
function positionCounted({ verb, side }: AskedDirection, size: Size, { answers }: Format): number | null {
  if (answers.contracts_mean !== 'position' || size.kind !== 'size' || verb !== 'entry' || side === null)
    return null
  return side === 'long' ? size.n : -size.n
}

/** What the words mean; XQ's radar names no action: there the strategy says it, unless the text says another. */
function askOf(
  uses: Uses,
  meaning: Meaning | null,
  reported: boolean,
  input: Omit<PayloadInput, 'body'>,
): AskedDirection {
  const key = first(uses, 'action', 'weak_action', 'side')?.key ?? 'action'
  if (meaning) return { ...meaning, key }
  if (!reported && KINDS[input.strategy.kind].triggers)
    return askByDefault(textOf(uses, 'note', 200) ?? '', input.strategy)
  return { verb: null, neutral: null, side: null, forced: false, key }
}

function usesFrom({ fields, printed, answers }: Format, values: readonly unknown[]): Uses {
  const order = answers.contracts_mean === 'order'
  const said: Said[] = []
  const as = new Map<string, ReadAs>()
  const leaves = fields.flatMap((field, i) => {
    const { path, role, name = nameOf(path), mapped } = field
    const value = values[i] as Said['value'] | undefined
    if (value === undefined || role === 'secret') return []
    if (role === 'ignored' || role === 'sequence') as.set(path, role === 'ignored' ? 'kept' : 'weightless')
    else if (value !== null && value !== '')
      said.push({
        path,
        key: mapped ? path : name,
        field: order && role === 'position' ? 'quantity' : role,
        value: printed && field.time ? clockOf(String(value)) : value,
        mapped: mapped === true,
      })
    return path === '' ? [] : [leafOf(path, name, value)]
  })
  return { said, as, leaves }
}

/** The last name on a path: an array's entries have the array's. */
export function nameOf(path: string): string {
  const names = path.split('.')
  return names.findLast((name) => !/^\d+$/.test(name)) ?? path
}

/** What XQ and PowerLanguage print as a day and a clock, as one time. */
function clockOf(text: string): string {
  return readClock(text.split(' '))?.text ?? text
}
