/* How instants and durations are written, always in Asia/Taipei. Taiwan is UTC+8 without summer time since 1980, so no Intl is needed. */

const HOUR = 3_600_000
const DAY = 24 * HOUR
const WEEK = ['日', '一', '二', '三', '四', '五', '六']

/** An instant: ISO 8601 text, milliseconds since 1970, or Date. */
export type Instant = string | number | Date

/** Wall clock of Taipei at that instant, each part as shown (two digits, year four, ms three); `weekday` 一…日. */
export function taipei(at: Instant) {
  const wall = new Date(new Date(at).getTime() + 8 * HOUR)
  const [day = '', clock = ''] = wall.toISOString().split('T')
  const [year = '', month = '', date = ''] = day.split('-')
  const [hour = '', minute = '', rest = ''] = clock.split(':')
  return {
    year,
    month,
    date,
    hour,
    minute,
    second: rest.slice(0, 2),
    ms: rest.slice(3, 6),
    day,
    weekday: WEEK[wall.getUTCDay()] ?? '',
  }
}

/** `10:24` */
export function hm(at: Instant): string {
  const { hour, minute } = taipei(at)
  return `${hour}:${minute}`
}

/** `10:24:00` */
export function hms(at: Instant): string {
  return `${hm(at)}:${taipei(at).second}`
}

/** `10:24:00.412` */
export function hmsMs(at: Instant): string {
  return `${hms(at)}.${taipei(at).ms}`
}

/** `11/20` */
export function md(at: Instant): string {
  const { month, date } = taipei(at)
  return `${month}/${date}`
}

/** `11/20 10:24` */
export function mdHm(at: Instant): string {
  return `${md(at)} ${hm(at)}`
}

/** `11/20 10:24:00` */
export function mdHms(at: Instant): string {
  return `${md(at)} ${hms(at)}`
}

/** `2026/11/20`; also of a day `YYYY-MM-DD`. */
export function ymd(at: Instant): string {
  if (typeof at === 'string' && at.length === 10) return at.replaceAll('-', '/')
  const { year, month, date } = taipei(at)
  return `${year}/${month}/${date}`
}

/** `2026/11/20 10:24:00` */
export function full(at: Instant): string {
  return `${ymd(at)} ${hms(at)}`
}

/** Today `10:24`, this year `11/20 10:24`, else `2025/11/20 10:24`. */
export function when(at: Instant, now: Instant): string {
  const then = taipei(at)
  const today = taipei(now)
  if (then.day === today.day) return hm(at)
  return then.year === today.year ? mdHm(at) : `${ymd(at)} ${hm(at)}`
}

/**
 * Title of a trading date (`YYYY-MM-DD`): `今天 11/20 週五`, `昨天 11/19 週四`, `11/17 週二`, `2025/11/20 週四`. One to come is
 * never 明天: tonight's session belongs to it already, so it is called what it is, `交易日 11/23 週一`.
 */
export function dayTitle(day: string, now: Instant): string {
  const start = Date.parse(`${day}T00:00:00+08:00`)
  const { month, date, weekday, year } = taipei(start)
  const today = taipei(now)
  const away = Math.round((Date.parse(`${today.day}T00:00:00+08:00`) - start) / DAY)
  const near = away === 0 ? '今天 ' : away === 1 ? '昨天 ' : away < 0 ? '交易日 ' : ''
  return `${near}${year === today.year ? '' : `${year}/`}${month}/${date} 週${weekday}`
}

/** How long ago: 剛剛, `21 秒前`, `3 分鐘前`, `2 小時前`, `5 天前`, after 30 days the date. The future (clocks differ) within a minute counts as 剛剛. */
export function ago(at: Instant, now: Instant): string {
  const past = new Date(now).getTime() - new Date(at).getTime()
  if (past < -60_000) return when(at, now)
  if (past < 5000) return '剛剛'
  if (past < 60_000) return `${Math.floor(past / 1000)} 秒前`
  if (past < HOUR) return `${Math.floor(past / 60_000)} 分鐘前`
  if (past < DAY) return `${Math.floor(past / HOUR)} 小時前`
  return past < 30 * DAY ? `${Math.floor(past / DAY)} 天前` : ymd(at)
}

/** A wait of `ms`: `18 秒`, `3 分 18 秒`, `3 小時 13 分`, `2 天 4 小時`. */
export function lasting(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const two = (big: number, one: string, small: number, other: string) =>
    small ? `${big} ${one} ${small} ${other}` : `${big} ${one}`
  if (seconds < 60) return `${seconds} 秒`
  if (seconds < 3600) return two(Math.floor(seconds / 60), '分', seconds % 60, '秒')
  if (seconds < 86_400)
    return two(Math.floor(seconds / 3600), '小時', Math.floor((seconds % 3600) / 60), '分')
  return two(Math.floor(seconds / 86_400), '天', Math.floor((seconds % 86_400) / 3600), '小時')
}

/** Minutes held (≤ 4 decimals) to the whole second: `45 秒`, `3 分 20 秒`, `2 小時 5 分`, `1 天 3 小時`. */
export function held(minutes: number): string {
  return lasting(Math.round(minutes * 60) * 1000)
}

/** A short delay: under a second `412 毫秒`, under a minute `1.02 秒`, then as {@link lasting}. */
export function latency(ms: number): string {
  if (Math.abs(ms) < 1000) return `${Math.round(ms)} 毫秒`.replace('-', '−')
  return ms < 60_000 ? `${(Math.round(ms / 10) / 100).toFixed(2)} 秒` : lasting(ms)
}

/** Whole minutes of a delay for the state word: 延遲 3 分; from an hour on `2 小時`. Never less than 1 分. */
export function late(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000))
  if (minutes < 60) return `延遲 ${minutes} 分`
  return minutes < 1440 ? `延遲 ${Math.floor(minutes / 60)} 小時` : `延遲 ${Math.floor(minutes / 1440)} 天`
}
