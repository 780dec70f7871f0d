// What the tests of a room measure (tests/server/room, room-hour): how many bytes are stored, and whose rows.
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { StrategyInput } from '#contract/strategy.ts'
import { roomOf, type Trimmed } from '#server/usage/tables.ts'
import type { TestServer } from './server.ts'
import { tablesOf } from './tables.ts'

/** Text that nothing makes smaller. */
export const noise = (signs: number) => randomBytes(signs).toString('base64').slice(0, signs)

/** A message of 60 KB, each another one. */
export const largeMessage = (action: string, price = 46_500) =>
  JSON.stringify({ symbol: 'MXF1!', action, qty: 1, price, id: randomUUID(), note: noise(60_000) })

export const strategyInput = (name: string, over: object = {}) =>
  ({
    kind: 'futures',
    name,
    settings: { product_code: 'MXF' },
    allow_pyramiding: true,
    max_position: 999,
    ...over,
  }) as unknown as StrategyInput

/** Bytes of the pictures on the disk. */
export function pictureBytes({ data_dir }: TestServer): number {
  const folder = join(data_dir, 'files')
  if (!existsSync(folder)) return 0
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

/** Bytes of every column of every row, and of every picture. */
export async function storedBytes(server: TestServer): Promise<number> {
  let sum = pictureBytes(server)
  for (const { name, columns } of await tablesOf(server.app.db)) {
    const bytes = columns.map((one) => sql`coalesce(octet_length(cast(${sql.ref(one.name)} as text)), 0)`)
    const { rows } = await sql<{ bytes: number | null }>`select sum(${sql.join(bytes, sql` + `)}) as bytes
      from ${sql.table(name)}`.execute(server.app.db)
    sum += Number(rows[0]?.bytes ?? 0)
  }
  return sum
}

/** Rows of a table that are this person's. */
export async function rowsOf(
  { app }: TestServer,
  kept: Trimmed,
  table: string,
  uid: string,
): Promise<number> {
  const where = kept.of(await roomOf(app.db, `p:${uid}`))
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
    where ${where ?? sql`1 = 0`}`.execute(app.db)
  return Number(rows[0]?.count)
}
