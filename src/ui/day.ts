/* A calendar day as people write it and as the product keeps it, `YYYY-MM-DD`. Texts all the way: no zone can move one. */

/** Whether a text is a day that the calendar has. */
export function isDay(text: string): boolean {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? []
  if (year === undefined || month === undefined || date === undefined) return false
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return year >= 1900 && month >= 1 && month <= 12 && date >= 1 && date <= length
}

/**
 * The day that was written: 2026/12/31, 2026-12-31, 2026.12.31, 2026年12月31日, 20261231, in letters of any width, and 12/31 of
 * the year of `today`. Null for anything else.
 */
export function dayFrom(text: string, today: string): string | null {
  const plain = text.normalize('NFKC').replaceAll(/\s/g, '')
  const found =
    /^(\d{4})(\d\d)(\d\d)$/.exec(plain) ?? /^(?:(\d{4})[-/.年])?(\d{1,2})[-/.月](\d{1,2})日?$/.exec(plain)
  if (!found) return null
  const [, year = today.slice(0, 4), month = '', date = ''] = found
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  return isDay(day) ? day : null
}
