// Who works on a SQLite database, as a row in it with a heartbeat: the lock file can be removed by hand, this cannot.
import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Condition } from './condition.ts'
import type { Schema } from './schema.ts'

const BEAT_MS = 5_000
/** A server that has its hands full may skip a beat or two. */
const SILENT_MS = 3 * BEAT_MS
const LOOK_MS = 250

interface Row {
  /** Made by each start for itself. */
  id: string
  /** Device and number of the lock file it holds: whoever has the same one knows that its holder is dead. */
  lock: string
  beat: number
}

/** Before anything is changed: throws in Chinese when somebody alive works on this database, whatever became of the lock file. */
export async function waitForHolder(
  db: Kysely<Schema>,
  data_dir: string,
  say: (line: string) => void,
): Promise<void> {
  const ground = await sql`select 1 from sqlite_master where type = 'table' and name = 'ground'`.execute(db)
  if (ground.rows.length === 0) return
  const first = await readHolder(db)
  if (!first || first.lock === lockOf(data_dir)) return
  say('這個資料庫最後沒有正常關閉，鎖檔也不是當時的那一個：先確認沒有別的伺服器在用，最多 15 秒…')
  for (let waited = 0; waited < SILENT_MS; waited += LOOK_MS) {
    await sleep(LOOK_MS)
    const now = await readHolder(db)
    if (!now) return
    if (now.id !== first.id || now.beat !== first.beat)
      throw new Error(
        `資料夾 ${data_dir} 正由另一個凌波伺服器使用（它的鎖檔 lingbo.lock 被移走了）。請先停止它，或用 DATA_DIR 指定別的資料夾`,
      )
  }
}

/** Takes the database and keeps saying so; gives what ends it (and leaves no row). */
export async function hold(
  db: Kysely<Schema>,
  data_dir: string,
  { condition, log }: { condition: Condition; log: Logger },
): Promise<() => Promise<void>> {
  const me: Row = { id: randomUUID(), lock: lockOf(data_dir), beat: 0 }
  await sql`insert into ground (name, value) values ('holder', ${JSON.stringify(me)})
    on conflict (name) do update set value = excluded.value`.execute(db)
  let told = false
  let running: Promise<void> = Promise.resolve()
  async function beat(): Promise<void> {
    const { numUpdatedRows } = await db
      .updateTable('ground')
      .set({ value: JSON.stringify({ ...me, beat: ++me.beat }) })
      .where('name', '=', 'holder')
      .where('value', 'like', `%"${me.id}"%`)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) {
      clearInterval(timer)
      condition.moved('另一個凌波伺服器接手了這個資料庫。這一個不再收任何資料，請停止它')
    } else condition.worked()
    if (told || lockOf(data_dir) === me.lock) return
    told = true
    log.error({ file: join(data_dir, 'lingbo.lock') }, 'lock file removed: do not start a second server')
  }
  const timer = setInterval(() => {
    running = beat().catch((error: unknown) => log.error({ err: error }, 'heartbeat'))
  }, BEAT_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
    try {
      await db
        .deleteFrom('ground')
        .where('name', '=', 'holder')
        .where('value', 'like', `%"${me.id}"%`)
        .execute()
    } catch (error) {
      // The next start waits a little longer.
      log.warn({ err: error }, 'heartbeat not ended')
    }
  }
}

async function readHolder(db: Kysely<Schema>): Promise<Row | null> {
  const row = await db.selectFrom('ground').select('value').where('name', '=', 'holder').executeTakeFirst()
  return row ? (JSON.parse(row.value) as Row) : null
}

function lockOf(data_dir: string): string {
  const file = statSync(join(data_dir, 'lingbo.lock'), { throwIfNoEntry: false })
  return file ? `${file.dev}:${file.ino}` : 'none'
}
