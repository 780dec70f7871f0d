// Puts the rows of a backup into an empty database of either kind, and then compares what stands there with what was in the backup.
import { CompiledQuery, type Kysely, sql, type Transaction } from 'kysely'
import { believeFrom } from '../clock.ts'
import { isPostgres, partsOf } from '../db/bulk.ts'
import { migrate, migrateUpTo } from '../db/migrate.ts'
import type { Schema } from '../db/schema.ts'
import { EACH } from '../db/sqlite.ts'
import {
  type BackupRow,
  Chains,
  type End,
  type Manifest,
  readEntries,
  rowsOf,
  type TableOf,
  tableOf,
} from './format.ts'

const AT_ONCE = 1_000

/** The tables as they were then, the rows, then whatever this version has changed since. */
export async function fillDatabase(tx: Transaction<Schema>, path: string, manifest: Manifest): Promise<void> {
  await migrateUpTo(tx, manifest.migrations.at(-1) as string)
  for await (const { path: name, data } of readEntries(path)) {
    const table = manifest.tables.find((one) => one.name === tableOf(name))
    if (!table) continue
    const rows = rowsOf(data)
    for (const some of partsOf(rows, AT_ONCE)) await tx.executeQuery(insertOf(tx, table, some))
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
export async function checkFilled(db: Kysely<Schema>, manifest: Manifest, end: End): Promise<void> {
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

/** The strategies whose chain does not hold; page by page, and others get their turn after each. */
export async function brokenChains(
  db: Kysely<Schema>,
  between: () => Promise<unknown> = () => Promise.resolve(),
) {
  const chains = new Chains()
  const strategies = await db
    .selectFrom('strategies')
    .select(['id', 'chain_seq', 'chain_hash', 'deleted_at'])
    .execute()
  for (const { id, chain_seq, chain_hash, deleted_at } of strategies) {
    chains.strategy(id, chain_seq, chain_hash, deleted_at)
    for (let after = 0; ; ) {
      const rows = await db
        .selectFrom('signals')
        .select(['strategy_id', 'chain_seq', 'prev_hash', 'hash', 'facts'])
        .where('strategy_id', '=', id)
        .where('chain_seq', '>', after)
        // What came after the look at the heads is judged by the next look.
        .where('chain_seq', '<=', chain_seq)
        .orderBy('chain_seq')
        .limit(AT_ONCE / 2)
        .execute()
      for (const row of rows) chains.link(row)
      await between()
      if (rows.length < AT_ONCE / 2) break
      after = rows.at(-1)?.chain_seq ?? 0
    }
  }
  return chains.broken()
}
