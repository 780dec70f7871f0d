// Writes a backup while the server works: one view of the database, the keys, the images that this view names.

import { createHash } from 'node:crypto'
import { closeSync, createWriteStream, existsSync, fsyncSync, openSync } from 'node:fs'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { believedOf } from '../clock.ts'
import type { Config } from '../config.ts'
import { getPicture } from '../file/storage.ts'
import {
  type BackupRow,
  Chains,
  type End,
  FOLDERS,
  FORMAT,
  FORMAT_VERSION,
  fileOf,
  type KeptLink,
  LEFT_OUT,
  type Manifest,
  TAR_END,
  type TableOf,
  tarEntry,
} from './format.ts'

// One unchanging view of a database that goes on working: a read transaction of SQLite's log, a snapshot of PostgreSQL.

interface BackupSource {
  readonly engine: 'sqlite' | 'postgres'
  /** Rows as objects, few. */
  all<T>(sql: string): Promise<T[]>
  /** Rows as lists of values, however many. */
  rows(sql: string): AsyncIterable<BackupRow>
  close(): Promise<void>
}

const AT_ONCE = 1_000

/** Opens the view; nobody is held up by it. */
function openSource(config: Pick<Config, 'data_dir' | 'database_url'>): Promise<BackupSource> {
  return config.database_url === null
    ? Promise.resolve(openSqlite(config.data_dir))
    : openPostgres(config.database_url)
}

function openSqlite(data_dir: string): BackupSource {
  const path = join(data_dir, 'lingbo.db')
  if (!existsSync(path)) throw new Error(`沒有資料庫檔 ${path}，請用 DATA_DIR 指定要備份的資料夾`)
  const db = new Sqlite(path, { readonly: true, fileMustExist: true, timeout: 10_000 })
  db.exec('begin')
  if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') {
    db.close()
    throw new Error(`資料庫檔 ${path} 已損壞，沒有備份。請複製整個資料夾，再從先前的備份還原`)
  }
  return {
    engine: 'sqlite',
    all: <T>(sql: string) => Promise.resolve(db.prepare(sql).all() as T[]),
    async *rows(sql) {
      yield* db.prepare(sql).raw().iterate() as Iterable<BackupRow>
    },
    close: () => Promise.resolve(void db.close()),
  }
}

async function openPostgres(url: string): Promise<BackupSource> {
  // int8 as a number, as the server reads it.
  pg.types.setTypeParser(20, Number)
  const client = new pg.Client({ connectionString: url, application_name: 'lingbo-backup', keepAlive: true })
  await client.connect()
  await client.query('begin transaction isolation level repeatable read read only')
  return {
    engine: 'postgres',
    all: async <T>(sql: string) => (await client.query(sql)).rows as T[],
    async *rows(sql) {
      await client.query(`declare part no scroll cursor for ${sql}`)
      for (;;) {
        const { rows } = await client.query<BackupRow[]>({
          text: `fetch ${AT_ONCE} from part`,
          rowMode: 'array',
        })
        yield* rows as unknown as BackupRow[]
        if (rows.length < AT_ONCE) break
      }
      await client.query('close part')
    },
    close: () => client.end(),
  }
}

/** The tables that go along, parents before their children. */
async function tablesOf(source: BackupSource): Promise<TableOf[]> {
  const sqlite = source.engine === 'sqlite'
  const columns = await source.all<{ name: string; column: string }>(
    sqlite
      ? `select m.name as name, c.name as "column" from sqlite_master m, pragma_table_info(m.name) c
         where m.type = 'table' and m.name not like 'sqlite_%' order by m.name, c.cid`
      : `select table_name as name, column_name as "column" from information_schema.columns
         join information_schema.tables using (table_schema, table_name)
         where table_schema = current_schema() and table_type = 'BASE TABLE' order by table_name, ordinal_position`,
  )
  const parents = await source.all<{ name: string; parent: string }>(
    sqlite
      ? `select m.name as name, f."table" as parent from sqlite_master m, pragma_foreign_key_list(m.name) f
         where m.type = 'table'`
      : `select c.relname as name, p.relname as parent from pg_constraint k
         join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid
         where k.contype = 'f' and k.connamespace = current_schema()::regnamespace`,
  )
  const names = [...new Set(columns.map(({ name }) => name))].filter((name) => !LEFT_OUT.has(name))
  const ordered: string[] = []
  const visit = (name: string, path: readonly string[]) => {
    if (ordered.includes(name) || path.includes(name) || !names.includes(name)) return
    for (const { parent } of parents.filter((one) => one.name === name)) visit(parent, [...path, name])
    ordered.push(name)
  }
  for (const name of names) visit(name, [])
  return ordered.map((name) => ({
    name,
    columns: columns.filter((one) => one.name === name).map(({ column }) => column),
  }))
}

/** Rows are gathered into entries of about this size. */
const PART_BYTES = 1024 * 1024

/** Writes `path` whole or not at all; gives what is in it. */
export async function writeBackup(
  config: Pick<Config, 'data_dir' | 'database_url' | 'storage'>,
  path: string,
  { force, now }: { force: boolean; now: number },
): Promise<{ manifest: Manifest; end: End }> {
  if (existsSync(path) && !force) throw new Error(`${path} 已經存在，沒有蓋掉它；要蓋掉請加上 --force`)
  const source = await openSource(config)
  const part = `${path}.part`
  const done: { manifest?: Manifest; end?: End } = {}
  try {
    const file = createWriteStream(part, { mode: 0o600 })
    await pipeline(Readable.from(pieces(config, source, now, done)), createGzip({ level: 4 }), file)
    flush(part)
    await rename(part, path)
    flush(dirname(path))
  } catch (error) {
    await rm(part, { force: true })
    throw error
  } finally {
    await source.close()
  }
  return done as { manifest: Manifest; end: End }
}

async function* pieces(
  config: Pick<Config, 'data_dir' | 'storage'>,
  source: BackupSource,
  now: number,
  done: { manifest?: Manifest; end?: End },
): AsyncGenerator<Buffer> {
  const sum = createHash('sha256')
  const entry = (path: string, data: Buffer | string) => {
    const bytes = tarEntry({ path, data: Buffer.from(data) }, now)
    sum.update(bytes)
    return bytes
  }
  const ran = await source.all<{ name: string }>('select name from kysely_migration order by name')
  const [clock] = ran.some(({ name }) => name === '010-ground')
    ? await source.all<{ value: string }>("select value from ground where name = 'clock'")
    : []
  const tables = await tablesOf(source)
  const manifest: Manifest = {
    format: FORMAT,
    version: FORMAT_VERSION,
    created_at: new Date(now).toISOString(),
    ...(clock && { believed: believedOf(clock.value) }),
    engine: source.engine,
    migrations: ran.map(({ name }) => name),
    tables,
  }
  yield entry('manifest.json', JSON.stringify(manifest, null, 1))
  // First what does not stand still with the view: the sooner it is read, the less of it can have gone.
  const named = await source.all<{ name: string }>('select name from files order by name')
  const missing: string[] = []
  let files = 0
  for (const folder of FOLDERS) {
    const names =
      folder === 'files' ? named.map(({ name }) => name) : await namesIn(join(config.data_dir, folder))
    // what somebody put there under a name that is none of ours is not restored, either
    for (const name of names.filter((one) => fileOf(`${folder}/${one}`))) {
      const read =
        folder === 'files' ? getPicture({ config }, name) : readFile(join(config.data_dir, folder, name))
      const data = await read.then((bytes) => bytes && Buffer.from(bytes)).catch(() => null)
      if (data) yield entry(`${folder}/${name}`, data)
      else missing.push(`${folder}/${name}`)
      files += data ? 1 : 0
    }
  }
  const rows: Record<string, number> = {}
  const chains = new Chains()
  for (const table of tables) {
    let [lines, bytes, number, count] = [[] as string[], 0, 0, 0]
    const part = () => {
      const data = lines.join('')
      lines = []
      bytes = 0
      return entry(`tables/${table.name}/${String(++number).padStart(6, '0')}.jsonl`, data)
    }
    const note = chainNote(table, chains)
    for await (const row of source.rows(selectOf(table))) {
      note?.(row)
      const line = `${JSON.stringify(row)}\n`
      lines.push(line)
      bytes += line.length
      count++
      if (bytes >= PART_BYTES) yield part()
    }
    if (lines.length > 0) yield part()
    rows[table.name] = count
  }
  const end: End = { rows, files, missing, broken: chains.broken(), sha256: sum.digest('hex') }
  done.manifest = manifest
  done.end = end
  yield tarEntry({ path: 'end.json', data: Buffer.from(JSON.stringify(end, null, 1)) }, now)
  yield TAR_END
}

function selectOf({ name, columns }: TableOf): string {
  const order = name === 'signals' ? ' order by strategy_id, chain_seq' : ''
  return `select ${columns.map((column) => `"${column}"`).join(', ')} from "${name}"${order}`
}

/** Hands the rows of a table to the chains, when they are part of them. */
export function chainNote({ name, columns }: TableOf, chains: Chains): ((row: BackupRow) => void) | null {
  const read = (row: BackupRow, column: string) => row[columns.indexOf(column)]
  if (name === 'strategies')
    return (row) =>
      chains.strategy(
        read(row, 'id') as string,
        read(row, 'chain_seq') as number,
        read(row, 'chain_hash') as string,
        read(row, 'deleted_at') as string | null,
      )
  const link = ['strategy_id', 'chain_seq', 'prev_hash', 'hash', 'facts'] as const
  if (name === 'signals')
    return (row) =>
      chains.link(
        Object.fromEntries(link.map((column) => [column, read(row, column)])) as unknown as KeptLink,
      )
  return null
}

async function namesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return found.filter((one) => one.isFile() && !one.name.endsWith('.new')).map(({ name }) => name)
}

function flush(path: string): void {
  const fd = openSync(path, 'r')
  fsyncSync(fd)
  closeSync(fd)
}
