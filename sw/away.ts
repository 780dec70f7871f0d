// What reaches a device late, after hours without a network: one notification for all of it, one alarm, and it leads to the inbox.
import type { PushMessage } from './push-message.ts'

/** What is older than this when it comes was waited for by nobody. */
const LATE_MS = 10 * 60_000
export const AWAY_TAG = 'away'

/** What the one notification stands for so far. */
export interface Away {
  readonly count: number
  /** How many of which strategy, by name; what may not be named is only counted. */
  readonly of: Readonly<Record<string, number>>
  readonly alarmed_at: number
}

export function isLate({ at }: PushMessage, now_ms: number): boolean {
  return at !== null && now_ms - Date.parse(at) > LATE_MS
}

/** Counts one more. `alarms`: it is the first of those that come now; a device that comes back rings once. */
export function oneMore(
  before: Away | null,
  message: PushMessage,
  first: boolean,
  now_ms: number,
): Away & { readonly alarms: boolean } {
  const { count = 0, of = {}, alarmed_at = 0 } = before ?? {}
  const alarms = first && now_ms - alarmed_at > LATE_MS
  const name = strategyIn(message)
  return {
    alarms,
    alarmed_at: first ? now_ms : alarmed_at,
    count: first ? count + 1 : Math.max(1, count),
    of: first && name !== null ? { ...of, [name]: (of[name] ?? 0) + 1 } : of,
  }
}

/** The words of several. */
export function digestOf({ count, of }: Away): { title: string; body: string } {
  const named = Object.entries(of)
  const others = count - named.reduce((sum, [, some]) => sum + some, 0)
  const parts = named.slice(-NAMES).map(([name, some]) => `${name} ${some} 則`)
  const rest = others + named.slice(0, -NAMES).reduce((sum, [, some]) => sum + some, 0)
  if (rest > 0 && parts.length > 0) parts.push(`其他 ${rest} 則`)
  return { title: `離線期間收到 ${count} 則通知`, body: parts.join('、') }
}
const NAMES = 4

/** The name in front of a signal's title (server/notify/words.ts); shortened messages name none. */
function strategyIn({ title, record }: PushMessage): string | null {
  const end = record === null ? -1 : title.lastIndexOf(' · ')
  return end > 0 ? title.slice(0, end) : null
}
