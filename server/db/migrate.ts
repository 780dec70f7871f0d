// Brings a database to the newest tables; the same set runs on both engines.
import { type Kysely, sql } from 'kysely'
import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration'
import { isPostgres } from './bulk.ts'
import * as snapshots from './migrations/056-snapshots.ts'
import * as dailySums from './migrations/057-daily-sums.ts'
import * as deliveries from './migrations/058-deliveries.ts'
import * as oneRow from './migrations/060-one-row.ts'
import * as attention from './migrations/062-attention.ts'
import * as assumed from './migrations/064-assumed.ts'
import * as notifyRows from './migrations/065-notify-rows.ts'
import * as handedInvitations from './migrations/066-handed-invitations.ts'
import * as touched from './migrations/067-touched.ts'
import * as asked from './migrations/068-asked.ts'
import { UNTIL_054 } from './migrations/until-054.ts'
import type { Schema } from './schema.ts'

const MIGRATIONS: Record<string, Migration> = {
  ...UNTIL_054,
  '056-snapshots': snapshots,
  '057-daily-sums': dailySums,
  '058-deliveries': deliveries,
  '060-one-row': oneRow,
  '062-attention': attention,
  '064-assumed': assumed,
  '065-notify-rows': notifyRows,
  '066-handed-invitations': handedInvitations,
  '067-touched': touched,
  '068-asked': asked,
}

/** Runs what has not run yet; gives the names. Throws the first failure. */
export async function migrate(db: Kysely<Schema>): Promise<string[]> {
  if (await isUpToDate(db)) return []
  await refuseStrange(db)
  return run(db, (migrator) => migrator.migrateToLatest())
}

/** Brings an empty database to the tables of an earlier version, up to and with this migration. */
export async function migrateUpTo(db: Kysely<Schema>, name: string): Promise<void> {
  await run(db, (migrator) => migrator.migrateTo(name))
}

async function run(
  db: Kysely<Schema>,
  how: (migrator: Migrator) => Promise<MigrationResultSet>,
): Promise<string[]> {
  let first: unknown
  const { results = [], error = null } = await how(
    await migrator(db, (failure) => {
      first ??= failure
    }),
  )
  // In a transaction that has failed the library cannot give back its lock either, and tells only that.
  const cause = first ?? error
  if (cause) throw cause instanceof Error ? cause : new Error(String(cause))
  return results.map((result) => result.migrationName)
}

/** Names of the migrations of this program, in order. */
export function knownMigrations(): string[] {
  return Object.keys(MIGRATIONS)
}

/**
 * Whether everything ran already, and nothing else: the usual start. Asked by name, for the library would read every column of
 * every table, three times, to find that there is nothing to do.
 */
async function isUpToDate(db: Kysely<Schema>): Promise<boolean> {
  const looked = isPostgres(db)
    ? await sql`select from pg_class where oid = to_regclass('kysely_migration')`.execute(db)
    : await sql`select 1 from sqlite_master where type = 'table' and name = 'kysely_migration'`.execute(db)
  return looked.rows.length > 0 && (await namesOf(db)).sort().join() === knownMigrations().sort().join()
}

/** What has run here. */
async function namesOf(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Throws in Chinese when the tables are another program's, or those of a newer version of this one. */
async function refuseStrange(db: Kysely<Schema>): Promise<void> {
  const tables = (await db.introspection.getTables({ withInternalKyselyTables: true })).map(
    ({ name }) => name,
  )
  const taken = ['users', 'signals', 'strategies'].filter((name) => tables.includes(name))
  if (!tables.includes('kysely_migration')) {
    const strange = isPostgres(db) ? taken : tables
    if (strange.length > 0) throw new Error(foreignText(strange))
    return
  }
  const ran = await namesOf(db)
  if (ran.length > 0 && !ran.includes('001-first')) throw new Error(foreignText(tables))
  const newer = ran.filter((name) => !(name in MIGRATIONS))
  if (newer.length > 0)
    throw new Error(
      `這個資料庫是較新版本的凌波寫的（多了 ${newer.join('、')}），這一版不認得，沒有改動它。請改用那個版本或更新的`,
    )
}

const foreignText = (tables: readonly string[]) =>
  `這個資料庫是別的程式的（裡面有 ${tables.slice(0, 3).join('、')}），沒有改動它。請用 DATA_DIR 或 DATABASE_URL 指定另一個`

/** Names of migrations that this program knows and the database lacks. */
export async function pendingMigrations(db: Kysely<Schema>): Promise<string[]> {
  const all = await (await migrator(db)).getMigrations()
  return all.filter((migration) => migration.executedAt === undefined).map((migration) => migration.name)
}

async function migrator(
  db: Kysely<Schema>,
  onFailure: (error: unknown) => void = () => undefined,
): Promise<Migrator> {
  const noting = Object.entries(MIGRATIONS).map(([name, { up }]) => [
    name,
    {
      up: async (on: Kysely<unknown>) => {
        try {
          await up(on)
        } catch (error) {
          onFailure(error)
          throw error
        }
      },
    },
  ])
  const migrations = Object.fromEntries(noting) as Record<string, Migration>
  const schema = isPostgres(db) ? await currentSchema(db) : null
  return new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    // It would look for its own table in every schema, and a restored database keeps what it replaced in one.
    ...(schema !== null && { migrationTableSchema: schema }),
  })
}

/** Where PostgreSQL makes and looks for our tables. */
async function currentSchema(db: Kysely<Schema>): Promise<string | null> {
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(db)
  return rows[0]?.name ?? null
}
