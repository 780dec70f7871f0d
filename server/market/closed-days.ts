// The days on which Taiwan's markets stay closed, as this server's data folder knows them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../context.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/
const read_before = new Map<string, ReadonlySet<string>>()

/** Days (`YYYY-MM-DD`) of DATA_DIR/market/closed-days.json; none when the file is absent. Read once per process. */
export function closedDays(app: { readonly config: Pick<App['config'], 'data_dir'> }): ReadonlySet<string> {
  const file = join(app.config.data_dir, 'market', 'closed-days.json')
  const known = read_before.get(file)
  if (known) return known
  const days = readDays(file)
  read_before.set(file, days)
  return days
}

function readDays(file: string): ReadonlySet<string> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    // A server without the file folds on weekdays alone; any other fault must be seen.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Set()
    throw error
  }
  const days: unknown = JSON.parse(text)
  if (!Array.isArray(days) || !days.every((day): day is string => typeof day === 'string' && DAY.test(day))) {
    throw new TypeError(`${file}: expected a list of days like "2026-01-01"`)
  }
  return new Set(days)
}
