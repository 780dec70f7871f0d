// The position a sender reports, signed: position_size, or market_position with its size (domain §4.5, 8).
import { type FieldName, type Fields, pick } from './fields.ts'
import { integerOf, placeholderIn } from './values.ts'

export type Reported =
  | { kind: 'none' }
  | { kind: 'position'; value: number }
  | { kind: 'bad'; field: string; text: string }
  | { kind: 'unresolved'; variable: string }

/** The position after the order. */
export function reportedPosition(fields: Fields): Reported {
  return signed(fields, 'position', 'market_position', 'market_size')
}

/** The position before the order. */
export function reportedPrev(fields: Fields): Reported {
  return signed(fields, 'prev', 'prev_market_position', 'prev_market_size')
}

function signed(fields: Fields, size: FieldName, side: FieldName, sideSize: FieldName): Reported {
  const [whole, word, part] = [pick(fields, size), pick(fields, side), pick(fields, sideSize)]
  for (const found of [whole, word, part]) {
    const variable = typeof found?.value === 'string' ? placeholderIn(found.value) : null
    if (variable) return { kind: 'unresolved', variable }
  }
  const said = String(word?.value ?? '').toLowerCase()
  const direct = sideOf(String(whole?.value ?? '').toLowerCase())
  const direction = sideOf(said) ?? direct
  if (direction === 0) return { kind: 'position', value: 0 }
  // The word alone ("long") says no size: the order's own action decides then.
  const sized = direct === null ? (whole ?? part ?? (sideOf(said) === null ? word : undefined)) : part
  if (!sized) return { kind: 'none' }
  const value = integerOf(sized.value)
  if (value === null || Math.abs(value) > 999_999_999)
    return { kind: 'bad', field: sized.key, text: String(sized.value).slice(0, 40) }
  return { kind: 'position', value: direction === null ? value : direction * Math.abs(value) || 0 }
}

function sideOf(word: string): 1 | -1 | 0 | null {
  return word === 'long' ? 1 : word === 'short' ? -1 : word === 'flat' ? 0 : null
}
