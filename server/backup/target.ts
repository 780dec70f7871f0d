// The PostgreSQL database a backup goes into: empty, and no server at work on it.
import pg from 'pg'

/** Throws in Chinese when it is neither empty nor to be replaced, or a server is connected. */
export async function emptyPostgres(url: string, force: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'lingbo-restore' })
  await client.connect()
  try {
    const busy = await client.query(
      `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
       and application_name in ('lingbo', 'lingbo-relay')`,
    )
    if (busy.rows.length > 0) throw new Error('DATABASE_URL 的資料庫正由凌波伺服器使用。請先停止它再還原')
    const { rows } = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c
       where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')`,
    )
    if (rows.length === 0) return
    const ours = rows.some(({ name }) => name === 'kysely_migration')
    if (!force || !ours)
      throw new Error(
        `DATABASE_URL 的資料庫不是空的，沒有動它。請建立空的資料庫${ours ? '；要取代請加上 --force，原有的資料表會被刪除' : ''}`,
      )
    await client.query(`drop table ${rows.map(({ name }) => `"${name}"`).join(', ')} cascade`)
  } finally {
    await client.end()
  }
}
