// Brings a database to the newest tables; the same set runs on both engines.
import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import * as first from './migrations/001-first.ts'
import * as calendar from './migrations/002-calendar.ts'
import * as moving from './migrations/003-moving.ts'
import * as oidc from './migrations/004-oidc.ts'
import * as accounts from './migrations/005-accounts.ts'
import * as organizations from './migrations/006-organizations.ts'
import * as keys from './migrations/007-keys.ts'
import * as holding from './migrations/008-exact-holding.ts'
import * as replays from './migrations/009-replays.ts'
import * as ground from './migrations/010-ground.ts'
import * as bodies from './migrations/011-bodies.ts'
import type { Schema } from './schema.ts'

const MIGRATIONS: Record<string, Migration> = {
  '001-first': first,
  '002-calendar': calendar,
  '003-moving': moving,
  '004-oidc': oidc,
  '005-accounts': accounts,
  '006-organizations': organizations,
  '007-keys': keys,
  '008-exact-holding': holding,
  '009-replays': replays,
  '010-ground': ground,
  '011-bodies': bodies,
}

/** Runs what has not run yet; gives the names. Throws the first failure. */
export async function migrate(db: Kysely<Schema>): Promise<string[]> {
  const { results = [], error } = await migrator(db).migrateToLatest()
  if (error) throw error instanceof Error ? error : new Error(String(error))
  return results.map((result) => result.migrationName)
}

/** Names of migrations that this program knows and the database lacks. */
export async function pendingMigrations(db: Kysely<Schema>): Promise<string[]> {
  const all = await migrator(db).getMigrations()
  return all.filter((migration) => migration.executedAt === undefined).map((migration) => migration.name)
}

function migrator(db: Kysely<Schema>): Migrator {
  return new Migrator({ db, provider: { getMigrations: () => Promise.resolve(MIGRATIONS) } })
}
