// Restores a backup into an empty folder and, when DATABASE_URL says so, an empty PostgreSQL: checked before, checked after, and
// nothing stands in its place before it is whole.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { CompiledQuery, type Kysely, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { believeFrom } from '../clock.ts'
import type { Config } from '../config.ts'
import { isPostgres, partsOf } from '../db/bulk.ts'
import { DatabaseAway } from '../db/condition.ts'
import { readEpoch } from '../db/lineage.ts'
import { knownMigrations, migrate, migrateUpTo } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import { EACH, takeLock } from '../db/sqlite.ts'
import { makeFolder } from '../make-folder.ts'
import {
  type BackupRow,
  BadBackup,
  brokenChains,
  Chains,
  type End,
  FOLDERS,
  FORMAT,
  FORMAT_VERSION,
  fileOf,
  type Manifest,
  readEntries,
  rowsOf,
  type TableOf,
  tableOf,
} from './format.ts'
import { chainNote } from './write.ts'

// A restore that was killed while it put the new in the place of the old: a note in the folder tells the next start, which would
// else go on with keys of one day and rows of another, or with nothing (docs/decisions/backups-and-clocks.md).

/** Where a restore fills the new, within the folder. */
export const WORK = 'restoring'
export const NOTE = 'restoring.json'

interface Note {
  /** Of the PostgreSQL database that belongs to the new folder; null on SQLite. */
  readonly epoch: string | null
  /** Where what stood in the folder before was moved. */
  readonly aside: string | null
}

/** Notes that the exchange begins; gives what takes the note back: to none when all is done, to the one of before when it is undone. */
function noteExchange(data_dir: string, note: Note): { done(): void; undone(): void } {
  const path = join(data_dir, NOTE)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : null
  const write = (text: string) => writeFileSync(path, text, { mode: 0o600, flush: true })
  const done = () => rmSync(path, { force: true })
  write(JSON.stringify(note))
  return { done, undone: () => (before === null ? done() : write(before)) }
}

/** Throws in Chinese when the last restore was killed on the way; whether it came to its end after all is found out here. */
export async function refuseHalfRestored(target: Pick<Config, 'data_dir' | 'database_url'>): Promise<void> {
  const { data_dir, database_url } = target
  const path = join(data_dir, NOTE)
  if (!existsSync(path)) return
  const { epoch, aside } = JSON.parse(readFileSync(path, 'utf8')) as Note
  const finished =
    database_url === null || epoch === null
      ? !existsSync(join(data_dir, WORK, 'lingbo.db'))
      : (await epochOf(target)) === epoch
  if (finished) return rmSync(path, { force: true })
  const half =
    database_url === null
      ? `資料夾 ${data_dir} 只換了一部分`
      : `資料夾 ${data_dir} 已換成備份的金鑰與檔案，PostgreSQL 還是原來的資料`
  const back = aside === null ? '' : `；要用原來的，請把 ${aside} 裡的移回 ${data_dir}，再刪除 ${path}`
  throw new Error(
    `上次還原在最後一步中斷了：${half}，所以沒有啟動。請以 npm run restore -- <備份檔> --force 再還原一次${back}`,
  )
}

async function epochOf(target: Pick<Config, 'data_dir' | 'database_url'>): Promise<string | null> {
  const { db, close } = await openDatabase(target)
  try {
    const found = await sql<{ value: string }>`select value from ground where name = 'epoch'`.execute(db)
    return found.rows[0]?.value ?? null
  } catch (error) {
    // Nothing stands there: the restore was into an empty database.
    if ((error as { code?: string }).code === '42P01') return null
    throw error
  } finally {
    await close()
  }
}

// One folder's contents for another's: all of it, or none when anything on the way fails.

interface Exchange {
  readonly from: string
  readonly into: string
  /** Names in `into` that go to `aside`, which is made for them. */
  readonly old: readonly string[]
  readonly aside: string | null
  /** Names in `from`, in the order in which they come. */
  readonly fresh: readonly string[]
}

/** Gives the way back. */
export function exchange({ from, into, old, aside, fresh }: Exchange): () => void {
  const done: (() => void)[] = []
  const back = () => {
    for (const undo of done.reverse()) undo()
  }
  const move = (a: string, b: string) => {
    renameSync(a, b)
    done.push(() => renameSync(b, a))
  }
  try {
    if (aside !== null) {
      mkdirSync(aside, { mode: 0o700 })
      done.push(() => rmdirSync(aside))
      for (const name of old) move(join(into, name), join(aside, name))
    }
    for (const name of fresh) move(join(from, name), join(into, name))
    return back
  } catch (error) {
    back()
    throw error
  }
}

// The PostgreSQL database a backup goes into: empty, or its tables are moved aside; no server at work on it.

const TABLES = `select c.relname as name from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v')`

/** Throws in Chinese when it is neither empty nor to be replaced, or a server is connected. Changes nothing. */
async function checkPostgres(url: string, force: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'lingbo-restore' })
  await client.connect()
  try {
    const busy = await client.query(
      `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
       and application_name in ('lingbo', 'lingbo-relay')`,
    )
    if (busy.rows.length > 0) throw new Error('DATABASE_URL 的資料庫正由凌波伺服器使用。請先停止它再還原')
    const { rows } = await client.query<{ name: string }>(TABLES)
    if (rows.length === 0) return
    const ours = rows.some(({ name }) => name === 'kysely_migration')
    if (!force || !ours)
      throw new Error(
        `DATABASE_URL 的資料庫不是空的，沒有動它。請建立空的資料庫${ours ? '；要取代請加上 --force，原有的資料表會移到 schema replaced_…' : ''}`,
      )
    const { rows: missing } = await client.query<{ grant: string }>(
      `select format('grant create on database %I to %I', current_database(), current_user) as grant
       where not has_database_privilege(current_database(), 'create')`,
    )
    if (missing[0])
      throw new Error(
        `DATABASE_URL 的帳號不能建立 schema，原有的資料表沒有地方可移，沒有動它。請由資料庫的擁有者執行：${missing[0].grant}，再還原一次；或改用空的資料庫`,
      )
  } finally {
    await client.end()
  }
}

/** Moves what stands there into the schema `aside`, with its indexes; gives whether there was anything. */
async function moveAside(tx: Kysely<Schema>, aside: string): Promise<boolean> {
  const { rows } = await sql.raw<{ name: string }>(TABLES).execute(tx)
  if (rows.length === 0) return false
  await sql`create schema ${sql.id(aside)}`.execute(tx)
  for (const { name } of rows) await sql`alter table ${sql.id(name)} set schema ${sql.id(aside)}`.execute(tx)
  return true
}

// Reads a backup through without touching anything: whether it is whole, and whether this program knows what is in it.

const KNOWN = new Set(['manifest.json', 'end.json'])

/** What a backup holds; throws in Chinese when it is damaged, cut off, or of a newer version. */
async function inspectBackup(path: string): Promise<{ manifest: Manifest; end: End }> {
  try {
    return await lookThrough(path)
  } catch (error) {
    // What was spoiled is read before the checksum at its end is: it need not be JSON any more.
    if (error instanceof SyntaxError || error instanceof TypeError)
      throw new BadBackup(`備份檔 ${path} 的內容已損壞，讀不懂`, { cause: error })
    throw error
  }
}

async function lookThrough(path: string): Promise<{ manifest: Manifest; end: End }> {
  let manifest: Manifest | undefined
  let end: End | undefined
  const chains = new Chains()
  const rows: Record<string, number> = {}
  for await (const { path: name, data } of readEntries(path)) {
    if (name === 'manifest.json') manifest = understand(path, JSON.parse(data.toString('utf8')) as Manifest)
    else if (name === 'end.json') end = JSON.parse(data.toString('utf8')) as End
    if (!manifest) throw notOurs(path)
    const table = manifest.tables.find((one) => one.name === tableOf(name))
    if (!table) {
      if (!KNOWN.has(name) && !fileOf(name))
        throw new BadBackup(
          `備份檔 ${path} 裡有不認得的內容「${name}」，不是 npm run backup 做出來的樣子；沒有更動任何資料`,
        )
      continue
    }
    const list = rowsOf(data)
    rows[table.name] = (rows[table.name] ?? 0) + list.length
    const note = chainNote(table, chains)
    for (const row of list) note?.(row)
  }
  if (!manifest || !end) throw new BadBackup(`備份檔 ${path} 沒有結尾，備份當時可能中斷了`)
  const told = end
  const wrong = manifest.tables.filter(({ name }) => (rows[name] ?? 0) !== told.rows[name])
  if (wrong.length > 0) throw new BadBackup(`備份檔 ${path} 的 ${wrong[0]?.name} 筆數不符，已損壞`)
  if (chains.broken().join() !== end.broken.join())
    throw new BadBackup(`備份檔 ${path} 的雜湊鏈與備份時不同，已損壞`)
  return { manifest, end }
}

const notOurs = (path: string) =>
  new BadBackup(`${path} 不是凌波的備份檔。請給 npm run backup 做出來的那個檔案（.tgz）；沒有更動任何資料`)

function understand(path: string, manifest: Manifest): Manifest {
  if (manifest.format !== FORMAT) throw notOurs(path)
  const names = manifest.tables.flatMap(({ name, columns }) => [name, ...columns])
  if (!names.every((name) => /^\w+$/.test(name))) throw notOurs(path)
  const known = knownMigrations()
  const newer = manifest.migrations.filter((name) => !known.includes(name))
  if (manifest.version > FORMAT_VERSION || newer.length > 0)
    throw new BadBackup(`備份檔 ${path} 是較新版本的凌波做的，這一版不認得。請改用那個版本或更新的`)
  return manifest
}

/** What may lie in a folder that is empty, and ours while we work. */
const HARMLESS = /^(lingbo\.lock.*|lost\+found|restoring(\.json)?|replaced-.*|\.DS_Store)$/

type Target = Pick<Config, 'data_dir' | 'database_url'>
type Parts = Pick<Restored, 'manifest' | 'end'>

interface Restored {
  readonly manifest: Manifest
  readonly end: End
  /** The folder, and the schema of PostgreSQL, that hold what stood there before. */
  readonly aside: string | null
  readonly aside_schema: string | null
}

/** The new stands in the folder: what is left to do once it stays, and the way back. */
interface Placed {
  done(): void
  back(): void
}

/** Gives what was restored. `force`: what stands there is moved aside. Whatever fails, it stands there as it was. */
export async function restoreBackup(
  target: Target,
  path: string,
  { force, now }: { force: boolean; now: number },
): Promise<Restored> {
  const { manifest, end } = await inspectBackup(path)
  const { data_dir, database_url } = target
  makeFolder(data_dir)
  const lock = takeLock(data_dir)
  const work = join(data_dir, WORK)
  const stamp = new Date(now).toISOString().replace(/\W/g, '')
  try {
    const old = readdirSync(data_dir).filter((name) => !HARMLESS.test(name))
    if (old.length > 0 && !force)
      throw new Error(
        `資料夾 ${data_dir} 不是空的（有 ${old.slice(0, 3).join('、')}），沒有動它。請用 DATA_DIR 指定空的資料夾；要取代請加上 --force，原來的會移到裡面的 replaced-…`,
      )
    rmSync(work, { recursive: true, force: true })
    mkdirSync(work, { mode: 0o700 })
    const aside = old.length > 0 ? join(data_dir, `replaced-${stamp}`) : null
    // The database last: a folder that has keys and no database does not start as an empty one.
    const intoPlace = (epoch: string | null): Placed => {
      const fresh = [...FOLDERS, 'lingbo.db'].filter((name) => existsSync(join(work, name)))
      const note = noteExchange(data_dir, { epoch, aside })
      try {
        const back = exchange({ from: work, into: data_dir, old, aside, fresh })
        return {
          done: note.done,
          back: () => {
            back()
            note.undone()
          },
        }
      } catch (error) {
        note.undone()
        throw error
      }
    }
    if (database_url === null) {
      await fillFile(work, path, { manifest, end })
      await unpack(path, work)
      intoPlace(null).done()
      return { manifest, end, aside, aside_schema: null }
    }
    await checkPostgres(database_url, force)
    await unpack(path, work)
    const schema = `replaced_${stamp.toLowerCase()}`
    const moved = await fillPostgres({ data_dir: work, database_url }, path, {
      manifest,
      end,
      schema,
      intoPlace,
    })
    return { manifest, end, aside, aside_schema: moved ? schema : null }
  } finally {
    rmSync(work, { recursive: true, force: true })
    lock.close()
  }
}

/** A file that nobody else sees before it is whole and on the disk. */
async function fillFile(work: string, path: string, { manifest, end }: Parts): Promise<void> {
  const { db, close } = await openDatabase({ data_dir: work, database_url: null })
  try {
    await sql`pragma synchronous = off`.execute(db)
    await sql`pragma foreign_keys = off`.execute(db)
    await db.transaction().execute(async (tx) => {
      await fillDatabase(tx, path, manifest)
      await checkFilled(tx, manifest, end)
    })
    await sql`pragma synchronous = full`.execute(db)
    await sql`pragma wal_checkpoint(truncate)`.execute(db)
  } finally {
    await close()
  }
}

/** One transaction from moving the old tables away to the check of the new ones, and the folder with it; gives whether there were old ones. */
async function fillPostgres(
  target: Target,
  path: string,
  { manifest, end, schema, intoPlace }: Parts & { schema: string; intoPlace: (epoch: string) => Placed },
): Promise<boolean> {
  const { db, close } = await openDatabase(target)
  let placed: Placed | undefined
  try {
    const replaced = await db.transaction().execute(async (tx) => {
      const moved = await moveAside(tx, schema)
      await fillDatabase(tx, path, manifest)
      await checkFilled(tx, manifest, end)
      placed = intoPlace(await readEpoch(tx))
      return moved
    })
    placed?.done()
    return replaced
  } catch (error) {
    placed?.back()
    if (placed && error instanceof DatabaseAway)
      throw new Error(
        '在最後一步與 PostgreSQL 斷了線，不知道新的資料有沒有存下；原來的也還在（schema replaced_… 或原處）。請以 --force 再還原一次',
        { cause: error },
      )
    throw error
  } finally {
    await close()
  }
}

/** Keys, images and market data: names of ours only, whatever the file says. */
async function unpack(path: string, work: string): Promise<void> {
  for await (const { path: name, data } of readEntries(path)) {
    const own = fileOf(name)
    if (!own) continue
    const to = join(work, own.folder, own.file)
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
    writeFileSync(to, data, { mode: 0o600, flush: true })
  }
}

// Puts the rows of a backup into an empty database of either kind, and then compares what stands there with what was in the backup.

const ROWS_AT_ONCE = 1_000

/** The tables as they were then, the rows, then whatever this version has changed since. */
async function fillDatabase(tx: Transaction<Schema>, path: string, manifest: Manifest): Promise<void> {
  await migrateUpTo(tx, manifest.migrations.at(-1) as string)
  for await (const { path: name, data } of readEntries(path)) {
    const table = manifest.tables.find((one) => one.name === tableOf(name))
    if (!table) continue
    const rows = rowsOf(data)
    for (const some of partsOf(rows, ROWS_AT_ONCE)) await tx.executeQuery(insertOf(tx, table, some))
  }
  await migrate(tx)
  await believeFrom(tx, manifest.believed ?? Date.parse(manifest.created_at))
}

function insertOf(
  db: Parameters<typeof isPostgres>[0],
  { name, columns }: TableOf,
  rows: readonly BackupRow[],
) {
  const names = columns.map((column) => `"${column}"`).join(', ')
  if (!isPostgres(db)) {
    const places = columns.map(() => '?').join(', ')
    return CompiledQuery.raw(
      `${EACH}insert into "${name}" (${names}) values (${places})`,
      rows.map((row) => row.map(kept)),
    )
  }
  const objects = rows.map((row) =>
    Object.fromEntries(columns.map((column, i) => [column, kept(row[i] ?? null)])),
  )
  return CompiledQuery.raw(
    `insert into "${name}" (${names}) select ${names} from json_populate_recordset(null::"${name}", $1::json)`,
    [JSON.stringify(objects)],
  )
}

/** A NUL entered SQLite before it was refused; no text of PostgreSQL takes it, and no answer carries it: a sign stands for it. */
function kept(value: BackupRow[number]): BackupRow[number] {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '␀') : value
}

/** Throws in Chinese when rows are missing, a chain is broken that was whole, or the file itself is not sound. */
async function checkFilled(db: Kysely<Schema>, manifest: Manifest, end: End): Promise<void> {
  for (const { name } of manifest.tables) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(
      db,
    )
    if (rows[0]?.count !== end.rows[name])
      throw new Error(`還原後 ${name} 有 ${rows[0]?.count} 筆，備份裡有 ${end.rows[name]} 筆：沒有完成`)
  }
  const broken = await brokenChains(db)
  if (broken.join() !== end.broken.join()) throw new Error('還原後的雜湊鏈與備份不符：沒有完成')
  if (isPostgres(db)) return
  const found = (await sql`pragma integrity_check`.execute(db)).rows as { integrity_check: string }[]
  const strays = (await sql`pragma foreign_key_check`.execute(db)).rows
  if (found[0]?.integrity_check !== 'ok' || strays.length > 0)
    throw new Error('還原後的資料庫檔檢查不通過：沒有完成')
}
