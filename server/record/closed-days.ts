// Which calendar this server goes by: DATA_DIR/market/closed-days.json while it is there and right, else the shipped one.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../context.ts'
import { calendarKey, type MarketCalendar, readCalendar } from './calendar.ts'

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
