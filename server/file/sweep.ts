// Files without a row: their transaction failed, or their row went and the disk did not follow. They are removed after a day.
// Pictures that no note shows any more, or never did, after a week.

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { NOTE_IMAGE_UNUSED_DAYS } from '#contract/limits.ts'
import type { App } from '../context.ts'
import { partsOf } from '../db/bulk.ts'
import { movePicture, storedPictures } from './storage.ts'
import { unlink } from './store.ts'

/** A file is written before its row: a fresh one may still be waiting for it. */
const FRESH_MS = 86_400_000
const DAY_MS = 86_400_000

/** Removes pictures that no note has shown for a week; gives how many. */
export async function sweepNoteImages(app: Pick<App, 'config' | 'db' | 'log' | 'now'>): Promise<number> {
  const before = new Date(app.now() - NOTE_IMAGE_UNUSED_DAYS * DAY_MS).toISOString()
  const gone = await app.db
    .deleteFrom('files')
    .where('kind', '=', 'note')
    .where('unused_since', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('note_images').select('image_id').whereRef('image_id', '=', 'files.name'))),
    )
    .returning('name')
    .execute()
  await unlink(
    app,
    gone.map(({ name }) => name),
  )
  return gone.length
}

/** Removes those of this machine's folder once, and gives how many; where there is a store, whose pictures lie here still moves. */
export async function sweepFiles(app: Pick<App, 'config' | 'db' | 'log' | 'now'>): Promise<number> {
  const folder = join(app.config.data_dir, 'files')
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  let gone = 0
  for (const some of partsOf(names)) {
    const rows = await app.db.selectFrom('files').select('name').where('name', 'in', some).execute()
    const known = new Set(rows.map((row) => row.name))
    for (const name of some) {
      if (known.has(name)) await movePicture(app, name)
      if (known.has(name) || !(await isOld(join(folder, name), app.now()))) continue
      await unlink(app, [name])
      gone++
    }
  }
  return gone
}

/** The same for the store, which all machines have together. */
export async function sweepStorage(app: Pick<App, 'config' | 'db' | 'log' | 'now'>): Promise<number> {
  let gone = 0
  for await (const page of storedPictures(app)) {
    const old = page.filter(({ at_ms }) => app.now() - at_ms > FRESH_MS).map(({ name }) => name)
    for (const some of partsOf(old)) {
      const rows = await app.db.selectFrom('files').select('name').where('name', 'in', some).execute()
      const known = new Set(rows.map((row) => row.name))
      const nobodys = some.filter((name) => !known.has(name))
      await unlink(app, nobodys)
      gone += nobodys.length
    }
  }
  return gone
}

async function isOld(path: string, now_ms: number): Promise<boolean> {
  try {
    return now_ms - (await stat(path)).mtimeMs > FRESH_MS
  } catch {
    return false // another process was quicker
  }
}
