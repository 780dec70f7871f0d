// What a move of a position is called; apart from the fold, because every row of a list says it.
import type { Effect, Side } from '../record.ts'

/** What a move from one signed position to another is called. */
export function effectOf(p: number, to: number): Effect {
  if (to === p) return 'none'
  if (p === 0) return 'open'
  if (to === 0) return 'close'
  if (Math.sign(p) !== Math.sign(to)) return 'reverse'
  return Math.abs(to) > Math.abs(p) ? 'add' : 'reduce'
}

/** Side of a signed position. */
export function sideOf(position: number): Side {
  return position > 0 ? 'long' : position < 0 ? 'short' : 'flat'
}
