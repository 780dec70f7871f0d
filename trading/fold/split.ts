// Splitting an order's whole-NT$ costs over its pieces: floor by quantity, remainder to the last, so totals match.
import { divFloor, floorToWhole, type Scaled } from '../decimal.ts'

/** The next part of a total that began over `of` units, when `part` of the `left` units are taken; `rest` is untaken. */
export function partOf(total: Scaled, of: number, rest: Scaled, left: number, part: number): Scaled {
  if (part >= left) return rest
  const share = floorToWhole(divFloor(total * BigInt(part), BigInt(of)))
  return share > rest ? rest : share
}

/** Gives out the parts of a total in turn; null stays null (price missing). */
export function splitter(total: Scaled | null, of: number): (part: number) => Scaled | null {
  let rest = total ?? 0n
  let left = of
  return (part) => {
    if (total === null) return null
    const share = partOf(total, of, rest, left, part)
    rest -= share
    left -= part
    return share
  }
}
