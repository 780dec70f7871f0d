// Searching in texts, the same on both engines.
import { type RawBuilder, sql } from 'kysely'

/** True where the column contains what was typed; ASCII letters of either case, and the wildcards of LIKE mean themselves. */
export function contains(column: string, typed: string): RawBuilder<boolean> {
  const pattern = `%${typed.normalize('NFC').toLowerCase().replace(/[!%_]/g, '!$&')}%`
  return sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '!'`
}

/** What two names must differ in. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
