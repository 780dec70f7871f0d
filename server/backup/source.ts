// One unchanging view of a database that goes on working: a read transaction of SQLite's log, a snapshot of PostgreSQL.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import type { Config } from '../config.ts'
import { type BackupRow, LEFT_OUT, type TableOf } from './format.ts'

export interface BackupSource {
  readonly engine: 'sqlite' | 'postgres'
  /** Rows as objects, few. */
  all<T>(sql: string): Promise<T[]>
  /** Rows as lists of values, however many. */
  rows(sql: string): AsyncIterable<BackupRow>
  close(): Promise<void>
}

const AT_ONCE = 1_000

/** Opens the view; nobody is held up by it. */
export function openSource(config: Pick<Config, 'data_dir' | 'database_url'>): Promise<BackupSource> {
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
export async function tablesOf(source: BackupSource): Promise<TableOf[]> {
  const sqlite = source.engine === 'sqlite'
  const columns = await source.all<{ name: string; column: string }>(
    sqlite
      ? `select m.name as name, c.name as "column" from sqlite_master m, pragma_table_info(m.name) c
         where m.type = 'table' and m.name not like 'sqlite_%' order by m.name, c.cid`
      : `select table_name as name, column_name as "column" from information_schema.columns
         where table_schema = current_schema() order by table_name, ordinal_position`,
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
