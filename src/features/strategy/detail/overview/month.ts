// What a month's cell has room for; its label says the whole figure.
import { signed, signedPercent, wan } from '#text/format.ts'

/** Whole percents from ten times the capital on. */
export const shortPercent = (pct: number): string => signedPercent(pct, Math.abs(pct) < 10 ? 2 : 0)

/** In 萬 from a million on. */
export const shortMoney = (net: number): string =>
  Math.abs(net) < 1_000_000 ? signed(net) : `${net > 0 ? '+' : ''}${wan(net).replace(' ', '')}`
