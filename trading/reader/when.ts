// When a message says it happened, and whether that is late or ahead of our clock (domain §5.3, rule 4).
import { taipei } from '../calendar.ts'
import type { Flag } from '../record.ts'
import { every, first, type Said, type Uses } from './uses.ts'
import { refusal, timeOf } from './values.ts'

/** given: the sender's own text of the time, null when the time of receipt stands in. */
export interface When {
  occurred_at: string
  given: string | null
  flags: Flag[]
}

const DAY = 86_400_000
/** No message tells of what is older: its clock is wrong. */
const OLDEST = 5 * 366 * DAY
const DAY_ONLY = /^(?:\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{8}(?:\.0+)?)$/
/** A day and a clock, and no zone behind them. */
const CLOCKED = /^\d{4}[-/]\d{1,2}[-/]\d{1,2}[T ]+\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?$/i
/** Names of zones with Taipei's clock; CST is Chicago's, too. */
const TAIPEI =
  /^(?:(?:asia\/)?(?:taipei|shanghai|hong_kong|singapore|manila|kuala_lumpur)|[台臺]北(?:時間)?|[台臺]灣|(?:utc|gmt)?\s?\+0?8(?::?00)?|8|)$/i
const CLOCK = /^\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?$|^\d{5,6}(?:\.0+)?$/

/** Time of a message. Only fire times (timenow and its kin, and bridge lines) can be late: {{time}} is the bar's open. Throws a Refusal. */
export function whenOf(uses: Uses, line: boolean, received_at: string, late_after_s: number): When {
  const received = Date.parse(received_at)
  const day = first(uses, 'date')
  const fired = among(uses, 'now', day) ?? among(uses, 'stamp', day)
  const found = fired ?? among(uses, 'time', day) ?? day
  const said = found ? timeSaid(found, found === day ? undefined : day) : null
  const at = line && found ? printed(String(found.value), said, received) : said
  if (at === null || found === undefined)
    return { occurred_at: new Date(received).toISOString(), given: null, flags: ['no_source_time'] }
  const given = textOf(found, found === day ? undefined : day)
  const wrong = (why: string) => refusal('bad_time', { key: found.key, value: given }, why)
  if (at === 'bad' || at > received + DAY || at < received - OLDEST)
    throw wrong('不是正確的時間：請送 ISO 8601（例如 2026-11-20T01:15:00Z）、時間戳或 YYYY/MM/DD HH:mm:ss')
  if (!line && misplaced(uses, found, given, received))
    throw wrong('沒有寫時區，而它不是臺北的時間：請送有時區的時間（例如 2026-11-20T01:15:00Z）')
  if (DAY_ONLY.test(given)) {
    // A day has no place among the day's signals: midnight would put it before all of them.
    if (taipei(received_at).date === taipei(new Date(at).toISOString()).date)
      return { occurred_at: new Date(received).toISOString(), given: null, flags: ['no_source_time'] }
    // The time of a bar may be its day: of days long past, too.
    if (found.field !== 'time') throw wrong('只有日期，而且不是今天：請一併送時間，例如 2026-11-20 09:15:00')
  }
  if (at > received + 60_000)
    return { occurred_at: new Date(received).toISOString(), given, flags: ['future'] }
  const late = (fired !== undefined || line) && received - at > late_after_s * 1000
  return { occurred_at: new Date(at).toISOString(), given, flags: late ? ['late'] : [] }
}

/** Of several times the one when it happened, in whatever order they stand: the earliest of fire times; of others the latest, for a bar began before. */
function among(uses: Uses, field: 'now' | 'stamp' | 'time', day: Said | undefined): Said | undefined {
  const all = every(uses, field)
  if (all.length < 2) return all.find((one) => field === 'time' || timeSaid(one, day) !== null)
  const mapped = all.find((one) => one.mapped)
  if (mapped) return mapped
  const given = all.flatMap((said) => {
    const ms = timeSaid(said, day)
    return ms === null ? [] : [{ said, ms: ms === 'bad' ? Number.NaN : ms }]
  })
  const bad = given.find(({ ms }) => Number.isNaN(ms))
  given.sort((a, b) => (field === 'time' ? b.ms - a.ms : a.ms - b.ms))
  return (bad ?? given[0])?.said
}

/** A clock without a zone is Taipei's, unless the message says another, or it is just now by UTC. */
function misplaced(uses: Uses, { field }: Said, text: string, received: number): boolean {
  if (!CLOCKED.test(text)) return false
  if (every(uses, 'zone').some(({ value }) => !TAIPEI.test(String(value).trim()))) return true
  const utc = timeOf(`${text}Z`)
  return field !== 'date' && typeof utc === 'number' && received - utc > -60_000 && received - utc < 300_000
}

/** 915 is 9:15; what is printed of 00:09:15 looks the same, and is meant where 9:15 is still to come and that was just now. Where neither has come, nobody knows. */
function printed(text: string, at: number | null | 'bad', received: number): number | null | 'bad' {
  if (!/^\d{12}$/.test(text) || (typeof at === 'number' && at <= received + 60_000)) return at
  const seconds = timeOf(`${text.slice(0, 8)}00${text.slice(8)}`)
  return typeof seconds === 'number' && Math.abs(received - seconds) < 600_000 ? seconds : 'bad'
}

function timeSaid(said: Said, day: Said | undefined): number | null | 'bad' {
  const text = textOf(said, day)
  return timeOf(typeof said.value === 'boolean' ? said.value : text)
}

/** A clock without a day takes the message's own day: 日期 and 時間 belong together. */
function textOf(said: Said, day: Said | undefined): string {
  const text = String(said.value).normalize('NFKC').trim().slice(0, 60)
  if (day === undefined || !CLOCK.test(text)) return text
  const date = String(day.value).normalize('NFKC').trim().replace(/\.0+$/, '')
  if (text.includes(':')) return `${date.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')} ${text}`.slice(0, 60)
  return `${date.replace(/[-/]/g, '')}${text.replace(/\.0+$/, '').padStart(6, '0')}`
}
