// Restores a backup into an empty folder and, when DATABASE_URL says so, an empty PostgreSQL: checked before, checked after, and
// nothing stands in its place before it is whole.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { readEpoch } from '../db/ground.ts'
import { openDatabase } from '../db/open.ts'
import { takeLock } from '../db/sqlite.ts'
import { DatabaseAway } from '../db/storage.ts'
import { makeFolder } from '../make-folder.ts'
import { exchange } from './exchange.ts'
import { checkFilled, fillDatabase } from './fill.ts'
import { type End, FOLDERS, fileOf, type Manifest, readEntries } from './format.ts'
import { inspectBackup } from './inspect.ts'
import { checkPostgres, moveAside } from './target.ts'
import { noteExchange, WORK } from './unfinished.ts'

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
