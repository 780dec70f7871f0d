// The PostgreSQL database a backup goes into: empty, or its tables are moved aside; no server at work on it.
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import type { Schema } from '../db/schema.ts'

const TABLES = `select c.relname as name from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')`

/** Throws in Chinese when it is neither empty nor to be replaced, or a server is connected. Changes nothing. */
export async function checkPostgres(url: string, force: boolean): Promise<void> {
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
export async function moveAside(tx: Kysely<Schema>, aside: string): Promise<boolean> {
  const { rows } = await sql.raw<{ name: string }>(TABLES).execute(tx)
  if (rows.length === 0) return false
  await sql`create schema ${sql.id(aside)}`.execute(tx)
  for (const { name } of rows) await sql`alter table ${sql.id(name)} set schema ${sql.id(aside)}`.execute(tx)
  return true
}
