// Restores a backup into an empty folder and, when DATABASE_URL says so, an empty PostgreSQL: checked before, checked after, and
// nothing stands in its place before it is whole.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { openDatabase } from '../db/open.ts'
import { takeLock } from '../db/sqlite.ts'
import { makeFolder } from '../make-folder.ts'
import { checkFilled, fillDatabase } from './fill.ts'
import { type End, FOLDERS, type Manifest, readEntries } from './format.ts'
import { inspectBackup } from './inspect.ts'
import { emptyPostgres } from './target.ts'

/** Ours while we work, and what may lie in a folder that is empty. */
const WORK = 'restoring'
const HARMLESS = /^(lingbo\.lock.*|lost\+found|restoring|replaced-.*|\.DS_Store)$/

type Target = Pick<Config, 'data_dir' | 'database_url'>

/** Gives what was restored. `force`: what stands there is moved aside (a PostgreSQL database: emptied). */
export async function restoreBackup(
  target: Target,
  path: string,
  { force, now }: { force: boolean; now: number },
): Promise<{ manifest: Manifest; end: End; aside: string | null }> {
  const { manifest, end } = await inspectBackup(path)
  const { data_dir, database_url } = target
  makeFolder(data_dir)
  const lock = takeLock(data_dir)
  const work = join(data_dir, WORK)
  try {
    const there = readdirSync(data_dir).filter((name) => !HARMLESS.test(name))
    if (there.length > 0 && !force)
      throw new Error(
        `資料夾 ${data_dir} 不是空的（有 ${there.slice(0, 3).join('、')}），沒有動它。請用 DATA_DIR 指定空的資料夾；要取代請加上 --force，原來的會移到裡面的 replaced-…`,
      )
    rmSync(work, { recursive: true, force: true })
    mkdirSync(work, { mode: 0o700 })
    if (database_url !== null) await emptyPostgres(database_url, force)
    await build({ data_dir: work, database_url }, path, manifest, end)
    await unpack(path, work)
    const aside =
      there.length > 0 ? join(data_dir, `replaced-${new Date(now).toISOString().replace(/\W/g, '')}`) : null
    if (aside) {
      mkdirSync(aside, { mode: 0o700 })
      for (const name of there) renameSync(join(data_dir, name), join(aside, name))
    }
    // The database last: a folder that has keys and no database does not start as an empty one.
    for (const name of [...FOLDERS, 'lingbo.db'])
      if (existsSync(join(work, name))) renameSync(join(work, name), join(data_dir, name))
    return { manifest, end, aside }
  } finally {
    rmSync(work, { recursive: true, force: true })
    lock.close()
  }
}

async function build(target: Target, path: string, manifest: Manifest, end: End): Promise<void> {
  const { db, engine, close } = await openDatabase(target)
  try {
    if (engine === 'sqlite') {
      // Nobody else sees this file before it is whole and on the disk.
      await sql`pragma synchronous = off`.execute(db)
      await sql`pragma foreign_keys = off`.execute(db)
    }
    await fillDatabase(db, path, manifest)
    await checkFilled(db, manifest, end)
    if (engine === 'sqlite') {
      await sql`pragma synchronous = full`.execute(db)
      await sql`pragma wal_checkpoint(truncate)`.execute(db)
    }
  } finally {
    await close()
  }
}

/** Keys, images and market data: names of ours only, whatever the file says. */
async function unpack(path: string, work: string): Promise<void> {
  for await (const { path: name, data } of readEntries(path)) {
    const [, folder, file] = /^(\w+)\/([\w-][\w.-]*)$/.exec(name) ?? []
    if (folder === undefined || file === undefined || !(FOLDERS as readonly string[]).includes(folder))
      continue
    const to = join(work, folder, file)
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
    writeFileSync(to, data, { mode: 0o600, flush: true })
  }
}
