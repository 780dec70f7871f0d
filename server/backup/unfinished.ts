// A restore that was killed while it put the new in the place of the old: a note in the folder tells the next start, which would
// else go on with keys of one day and rows of another, or with nothing (docs/decisions/backups-and-clocks.md).
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { openDatabase } from '../db/open.ts'

/** Where a restore fills the new, within the folder. */
export const WORK = 'restoring'
export const NOTE = 'restoring.json'

type Target = Pick<Config, 'data_dir' | 'database_url'>

interface Note {
  /** Of the PostgreSQL database that belongs to the new folder; null on SQLite. */
  readonly epoch: string | null
  /** Where what stood in the folder before was moved. */
  readonly aside: string | null
}

/** Notes that the exchange begins; gives what takes the note back: to none when all is done, to the one of before when it is undone. */
export function noteExchange(data_dir: string, note: Note): { done(): void; undone(): void } {
  const path = join(data_dir, NOTE)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : null
  const write = (text: string) => writeFileSync(path, text, { mode: 0o600, flush: true })
  const done = () => rmSync(path, { force: true })
  write(JSON.stringify(note))
  return { done, undone: () => (before === null ? done() : write(before)) }
}

/** Throws in Chinese when the last restore was killed on the way; whether it came to its end after all is found out here. */
export async function refuseHalfRestored(target: Target): Promise<void> {
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

async function epochOf(target: Target): Promise<string | null> {
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
