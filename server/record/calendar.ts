// The days on which Taiwan's markets stay closed, year by year with where they are known from; as shipped, or as the
// administrator of this server wrote them.

import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { calendar_year } from '#contract/market.ts'
import { addDays } from '#trading/calendar.ts'
import { FOLDED_AS } from '#trading/fold/run.ts'
import { tables } from '#trading/tables.ts'
import type { App } from '../context.ts'

type CalendarYear = z.infer<typeof calendar_year>

interface MarketCalendar {
  readonly years: readonly CalendarYear[]
  readonly days: ReadonlySet<string>
}

/** A day as it is written; whether there is one is said below, by its name. */
const written = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))
/** What a file may hold: years with their source, or just a list of days. */
const file = z.union([
  z.object({ years: z.array(z.extend(calendar_year, { days: z.array(written) })) }),
  z.array(written),
])

/** Reads a calendar's text. Throws with one Chinese sentence about the first thing that is wrong. */
export function readCalendar(text: string): MarketCalendar {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new TypeError('不是 JSON', { cause: error })
  }
  const read = file.safeParse(json)
  if (!read.success)
    throw new TypeError('要寫成 ["2026-01-01", …]，或 {"years": [{"year", "status", "source", "days"}]}')
  const years = Array.isArray(read.data) ? yearsOf(read.data) : read.data.years
  const seen = new Set<number>()
  for (const { year, days } of years) {
    if (seen.has(year)) throw new TypeError(`${year} 年寫了兩次`)
    seen.add(year)
    for (const one of days) {
      if (!exists(one)) throw new TypeError(`沒有 ${one} 這一天`)
      if (Number(one.slice(0, 4)) !== year) throw new TypeError(`${one} 不在 ${year} 年`)
    }
  }
  const sorted = years.map((one) => ({ ...one, days: [...new Set(one.days)].sort() }))
  sorted.sort((a, b) => a.year - b.year)
  return { years: sorted, days: new Set(sorted.flatMap((one) => one.days)) }
}

/** Years of a plain list: what an administrator wrote down is taken as it is. */
function yearsOf(days: readonly string[]): CalendarYear[] {
  return [...Map.groupBy(days, (one) => Number(one.slice(0, 4)))].map(([year, own]) => ({
    year,
    status: 'own',
    source: '伺服器管理者的清單',
    days: own,
  }))
}

function exists(one: string): boolean {
  return !Number.isNaN(Date.parse(one)) && addDays(one, 0) === one
}

const keys = new WeakMap<ReadonlySet<string>, string>()

/** Names how records are folded: by what version, on which closed days, with which tables. The same, the same key, in every process. */
export function calendarKey(days: ReadonlySet<string>, table = tables()): string {
  return [FOLDED_AS, daysKey(days), ...(table.key === '' ? [] : [table.key])].join('.')
}

function daysKey(days: ReadonlySet<string>): string {
  let key = keys.get(days)
  if (key === undefined) {
    key = createHash('sha256')
      .update([...days].sort().join())
      .digest('hex')
      .slice(0, 16)
    keys.set(days, key)
  }
  return key
}

// Which calendar this server goes by: DATA_DIR/market/closed-days.json while it is there and right, else the shipped one.

type Place = { readonly config: Pick<App['config'], 'data_dir'>; readonly log?: App['log'] }

interface Known {
  /** Tells whether the file is still the one that was read; empty = no file. */
  stamp: string
  calendar: MarketCalendar
}

const known_of = new Map<string, Known>()
let shipped: MarketCalendar | undefined

/** The days without trading (`YYYY-MM-DD`). The same set is given as long as the days are the same. */
export function closedDays(app: Place): ReadonlySet<string> {
  return calendarOf(app).days
}

/** The calendar in force; a changed file counts from the next call on, a wrong one is logged and the last good one stays. */
export function calendarOf({ config, log }: Place): MarketCalendar {
  const file = join(config.data_dir, 'market', 'closed-days.json')
  const known = known_of.get(file)
  const stamp = stampOf(file)
  if (known?.stamp === stamp) return known.calendar
  let calendar: MarketCalendar
  try {
    calendar = stamp === '' ? shippedCalendar() : readCalendar(readFileSync(file, 'utf8'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log?.error({ file }, `休市日檔案有誤，沿用先前的休市日：${reason}`)
    calendar = known?.calendar ?? shippedCalendar()
  }
  if (known && calendarKey(known.calendar.days) === calendarKey(calendar.days))
    calendar = { ...calendar, days: known.calendar.days }
  known_of.set(file, { stamp, calendar })
  return calendar
}

function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true })
  return found ? `${found.mtimeNs}|${found.size}|${found.ino}` : ''
}

function shippedCalendar(): MarketCalendar {
  shipped ??= readCalendar(readFileSync(join(import.meta.dirname, 'calendar.json'), 'utf8'))
  return shipped
}
