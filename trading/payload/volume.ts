// A bar's volume that could be an order's size (domain §4.5, rule 5): where nothing else says the size, the reader does not choose.
import { KINDS } from '../kinds.ts'
import { tooMuch } from './amount.ts'
import { quoted, Refusal } from './refusal.ts'
import type { PayloadStrategy } from './shape.ts'
import { sizeOf } from './size-factor.ts'
import type { Uses } from './uses.ts'
import { numberOf } from './values.ts'
import { compact, keyName } from './vocabulary/spell.ts'

const VOLUMES = new Set(['volume', 'vol', '量'])
/** Who sends these sends a bar, and its volume with it. */
export const BARS: ReadonlySet<string> = new Set([
  'open',
  'high',
  'low',
  '開盤',
  '最高',
  '最低',
  '開盤價',
  '最高價',
  '最低價',
])

/**
 * Bots of other markets call the size of an order its volume. XQ's messages carry a bar's for the rules of signals, a bar has its other
 * prices beside it, and no strategy holds as much as most bars trade. Throws a Refusal.
 */
export function volumeAsSize(uses: Uses, strategy: PayloadStrategy): void {
  if (KINDS[strategy.kind].triggers || strategy.quantity_mode === 'fixed') return
  const own = uses.leaves.filter(({ zone }) => zone === 'order')
  if (own.some(({ name }) => BARS.has(compact(keyName(name))))) return
  for (const { path, name, value } of own) {
    if (!VOLUMES.has(compact(keyName(name))) || uses.as.get(path) === 'ignored') continue
    const n = numberOf(value)
    if (n === null || n <= 0 || tooMuch(n * sizeOf(strategy), strategy)) continue
    throw new Refusal(
      'unknown_field',
      path,
      `訊息沒有寫數量，不確定欄位 ${name}${quoted(value)}是成交量還是這筆的數量：請加上 quantity，或在欄位對應裡忽略這個欄位`,
    )
  }
}
