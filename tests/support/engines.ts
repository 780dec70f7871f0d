// Which tests run on which database: SQLite always; PostgreSQL all in the soak, in `npm test` the files below.
import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, expect } from 'vitest'
import { findPostgres } from './postgres.ts'
import type { Engine } from './server.ts'
import { SOAK } from './tier.ts'

const ROOT = resolve(import.meta.dirname, '../..')
/** What PostgreSQL does by itself, and does otherwise than SQLite: SQL of its own, locks, paging, search, streams, migrations. */
const ON_POSTGRES: Record<string, string> = {
  'server/database': 'numbers in the order of commits, what rolls back, 64 writers',
  'server/processes': 'events and sign-outs from one process to another (LISTEN)',
  'server/stream': 'the stream reads by number while others commit late',
  'server/upgrade': 'migration of records and figures',
  'server/held': 'migration that works figures out anew',
  'server/stored-addresses': 'migration of addresses, compared by the database',
  'server/idempotency': 'two at once with one key: who comes second waits for the row',
  'server/intake':
    'many messages in one commit, copies found by their key, a NUL which PostgreSQL takes in no text',
  'server/copies': 'copies looked for in the rows and within one commit',
  'server/entered-texts': 'comparing and refusing texts',
  'server/void': 'two that void at once: a lock on the strategy',
  kill: 'what a killed process leaves open in the database; two machines, of which one is killed',
  'server/membership': 'the last admin, whoever leaves at once: locks',
  'server/join': 'who comes in by links and codes, under locks',
  'server/strategy-list': 'search, order and pages',
  'server/signal': 'filters and pages of the feed',
  'server/chain': 'pages by number',
  'server/access-changes': 'what is noted with every change, compared row by row in SQL',
  'server/guesses': 'misses of two processes counted in one statement: rows locked in their order',
  'server/housekeeping': 'what is forgotten by age, table by table',
  'server/daily-sums': 'sums added to by upserts, rows of VALUES joined and grouped',
  'server/dashboard': 'figures, to-dos and counts aggregated by the database',
  'server/member-access': 'days of access compared in SQL',
  'server/line-ration': 'a month of messages counted for several accounts',
  'server/group-matrix': 'a table aggregated from five',
  'server/webhook-deliveries': 'counts by day and reason',
  'server/webhook-formats':
    'who confirms at once with somebody else: a lock on the strategy; an index of what waits',
  'server/announcement-publish': 'published once by two processes: locks',
  'server/telegram-updates': 'one process at a time asks: a row exchanged by comparison',
  'server/notify-two': 'what one process claims, the other leaves out: a lock by name',
  'server/jobs': 'taken by one process of several, lost by who stands still: rows updated by comparison',
  'server/erasures': 'rows erased some at a time',
  'server/quota': 'bytes summed up by the database',
  'server/room': 'rows counted and let go, table by table',
  'server/original-data': 'files taken in some rows at a time, under a lock on the strategy',
}
for (const name of Object.keys(ON_POSTGRES))
  if (!existsSync(join(ROOT, `tests/${name}.test.ts`)))
    throw new Error(`${name} is on PostgreSQL and not there`)

const postgres = findPostgres()
if (postgres === null) console.warn('\n!!! NOT tried on PostgreSQL, none is installed here !!!\n')

/** Whether the file that asks, while its tests are collected, is tried on PostgreSQL in this tier. */
export function onPostgres(): boolean {
  const file = relative(join(ROOT, 'tests'), expect.getState().testPath ?? '')
  return postgres !== null && (SOAK || file.replace('.test.ts', '') in ON_POSTGRES)
}

/** The databases that the file is tried on. */
export const engines = (): readonly Engine[] => (onPostgres() ? ['sqlite', 'postgres'] : ['sqlite'])

/** `describe` once per engine. */
export function describeEngines(title: string, tests: (engine: Engine) => void): void {
  for (const engine of engines()) describe(`${title} (${engine})`, () => tests(engine))
}
