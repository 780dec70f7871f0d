// When a message says it happened, and whether that is late or ahead of our clock (domain §5.3, rule 4).
import type { Flag } from '../record.ts'
import { type Fields, pick } from './fields.ts'
import { timeOf } from './values.ts'

export type When =
  /** given: the sender's own text of the time, null when the time of receipt stands in. */
  | { ok: true; occurred_at: string; given: string | null; flags: Flag[] }
  | { ok: false; field: string; reason: string }

const DAY = 86_400_000

/** Time of a message. Only fire times (timenow and its kin, and bridge lines) can be late: {{time}} is the bar's open. */
export function whenOf(fields: Fields, line: boolean, received_at: string, late_after_s: number): When {
  const received = Date.parse(received_at)
  const fired = pick(fields, 'fired')
  const firedAt = timeOf(fired?.value)
  const found = firedAt === null ? pick(fields, 'time') : fired
  const at = firedAt ?? timeOf(found?.value)
  if (at === null) return { ok: true, occurred_at: new Date(received).toISOString(), given: null, flags: [] }
  const given = String(found?.value).trim().slice(0, 60)
  const field = found?.key ?? 'time'
  if (at === 'bad' || at > received + DAY) {
    const reason = `時間「${given}」不正確（欄位 ${field}）：請送 ISO 8601（例如 2026-11-20T01:15:00Z）、時間戳或 YYYY/MM/DD HH:mm:ss`
    return { ok: false, field, reason }
  }
  if (at > received + 60_000)
    return { ok: true, occurred_at: new Date(received).toISOString(), given, flags: ['future'] }
  const late = (firedAt !== null || line) && received - at > late_after_s * 1000
  return { ok: true, occurred_at: new Date(at).toISOString(), given, flags: late ? ['late'] : [] }
}
