// Which rows are drawn beyond the edges: several come at a time, because a batch every few rows costs less than one with every row.

/** Rows beyond each edge after a batch, and how few may be left there before the next one. */
export const [OVERSCAN, RESERVE] = [8, 4]

/** First and last row, both drawn. */
export interface Drawn {
  from: number
  to: number
}

/** What is drawn when `startIndex` to `endIndex` of `count` rows are in sight: as `before`, unless too little of it is left. */
export function ahead(
  before: Drawn | null,
  { startIndex, endIndex, count }: { startIndex: number; endIndex: number; count: number },
): Drawn {
  if (
    before &&
    before.from <= Math.max(0, startIndex - RESERVE) &&
    before.to < count &&
    before.to >= Math.min(count - 1, endIndex + RESERVE)
  )
    return before
  return { from: Math.max(0, startIndex - OVERSCAN), to: Math.min(count - 1, endIndex + OVERSCAN) }
}
