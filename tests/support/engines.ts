// Runs the same tests on SQLite and PostgreSQL; says loudly when there is no PostgreSQL.
import { describe } from 'vitest'
import { findPostgres } from './postgres.ts'
import type { Engine } from './server.ts'

const postgres = findPostgres()

/** `describe` once per engine. */
export function describeEngines(title: string, tests: (engine: Engine) => void): void {
  describe(`${title} (sqlite)`, () => tests('sqlite'))
  if (postgres === null) console.warn(`\n!!! ${title}: NOT tried on PostgreSQL, none is installed here !!!\n`)
  describe.skipIf(postgres === null)(`${title} (postgres)`, () => tests('postgres'))
}
