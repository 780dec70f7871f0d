// Brings a database to the newest tables; the same set runs on both engines.
import { type Kysely, sql } from 'kysely'
import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration'
import { isPostgres } from './bulk.ts'
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
import * as marks from './migrations/012-marks.ts'
import * as refused from './migrations/013-refused.ts'
import * as addresses from './migrations/014-addresses.ts'
import * as access from './migrations/015-access-changes.ts'
import * as images from './migrations/018-note-images.ts'
import * as gaps from './migrations/019-gap-answers.ts'
import * as notify from './migrations/020-notify.ts'
import * as every_gap from './migrations/021-gaps.ts'
import * as mailboxes from './migrations/022-lost-mailboxes.ts'
import * as notify_reads from './migrations/023-notify-reads.ts'
import * as claims from './migrations/024-binding-claims.ts'
import * as chapters from './migrations/025-chapters.ts'
import * as owed_folds from './migrations/026-owed-folds.ts'
import * as notify_due from './migrations/027-notify-due.ts'
import * as doubted from './migrations/028-doubted-chats.ts'
import * as standing from './migrations/029-access-standing.ts'
import * as rests from './migrations/031-rests.ts'
import * as erasures from './migrations/032-owed-erasures.ts'
import * as bell_edits from './migrations/033-bell-edits.ts'
import * as announcements from './migrations/034-announcements.ts'
import * as silence from './migrations/035-silence.ts'
import * as access_log from './migrations/036-access-log.ts'
import * as joining from './migrations/037-joining.ts'
import * as short_notifications from './migrations/038-short-notifications.ts'
import * as tried_in from './migrations/039-tried-in.ts'
import * as lineage from './migrations/040-lineage.ts'
import * as stock_rules from './migrations/041-stock-rules.ts'
import * as session_ends from './migrations/042-session-ends.ts'
import * as room from './migrations/043-room.ts'
import * as original_data from './migrations/048-original-data.ts'
import * as sequence from './migrations/049-sequence.ts'
import * as formats from './migrations/050-formats.ts'
import * as price_fence from './migrations/051-price-fence.ts'
import * as refused_index from './migrations/052-refused.ts'
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
  '012-marks': marks,
  '013-refused': refused,
  '014-addresses': addresses,
  '015-access-changes': access,
  '018-note-images': images,
  '019-gap-answers': gaps,
  '020-notify': notify,
  '021-gaps': every_gap,
  '022-lost-mailboxes': mailboxes,
  '023-notify-reads': notify_reads,
  '024-binding-claims': claims,
  '025-chapters': chapters,
  '026-owed-folds': owed_folds,
  '027-notify-due': notify_due,
  '028-doubted-chats': doubted,
  '029-access-standing': standing,
  '031-rests': rests,
  '032-owed-erasures': erasures,
  '033-bell-edits': bell_edits,
  '034-announcements': announcements,
  '035-silence': silence,
  '036-access-log': access_log,
  '037-joining': joining,
  '038-short-notifications': short_notifications,
  '039-tried-in': tried_in,
  '040-lineage': lineage,
  '041-stock-rules': stock_rules,
  '042-session-ends': session_ends,
  '043-room': room,
  '048-original-data': original_data,
  '049-sequence': sequence,
  '050-formats': formats,
  '051-price-fence': price_fence,
  '052-refused': refused_index,
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
