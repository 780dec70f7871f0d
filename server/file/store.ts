// Images as files under DATA_DIR/files, each with a row that says whose it is. The bytes are written before the row: a row
// without its file would be a hole on a page, a file without a row is swept away.
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scope } from '#contract/events.ts'
import { noteImageAddress } from '#contract/strategy.ts'
import type { App, Tx } from '../context.ts'
import type { FileRow } from '../db/schema.ts'
import { roomForImage } from '../usage/limits.ts'
import { type ImageOptions, redraw } from './image.ts'

/** 160 random bits: whoever has the address may see the picture (ruling A29). Pictures of notes have another name (decision 053). */
const NAME = /^[0-9a-f]{40}\.webp$/
const FILES_PATH = '/files/'

/** The file of a note's picture: no address under /files leads to it. */
export const noteFile = (id: string): string => `${id}.note.webp`

/** A picture that lies on the disk and belongs to nobody yet. */
export interface StoredImage {
  readonly name: string
  /** As it stands in profiles, organizations and notes. */
  readonly url: string
  readonly size: number
}

/** True for a name this room gives; what else is asked for under /files does not exist. */
export function isFileName(name: string): boolean {
  return NAME.test(name)
}

/** Where a file lies. */
function pathOf(app: Pick<App, 'config'>, name: string): string {
  return join(app.config.data_dir, 'files', name)
}

/** Draws the picture anew and writes it; slow, so it belongs into `prepare`. Fails as `redraw` does. */
export async function storeImage(
  app: Pick<App, 'config'>,
  bytes: Uint8Array,
  options: ImageOptions & { of_note?: true },
): Promise<StoredImage> {
  const webp = await redraw(bytes, options)
  const id = randomBytes(20).toString('hex')
  const name = options.of_note ? noteFile(id) : `${id}.webp`
  const path = pathOf(app, name)
  await mkdir(join(app.config.data_dir, 'files'), { recursive: true, mode: 0o700 })
  await writeFile(`${path}.part`, webp, { mode: 0o600, flush: true })
  await rename(`${path}.part`, path)
  return { name, url: options.of_note ? noteImageAddress(id) : FILES_PATH + name, size: webp.byteLength }
}

/** The call that brought it was refused: nobody's picture takes nobody's room. */
export async function undoImage(app: Pick<App, 'config' | 'log'>, image: StoredImage | null): Promise<void> {
  if (image) await unlink(app, [image.name])
}

/** Says whose the picture is: `p:<uid>` or `o:<organization id>`, and who brought it. In `run`, in the same transaction as its use. */
export async function keepImage(
  tx: Tx,
  image: StoredImage,
  { scope, kind, uid }: { scope: Scope; kind: FileRow['kind']; uid: string },
): Promise<void> {
  const { name, size } = image
  await roomForImage(tx.db, scope, size)
  const unused_since = kind === 'note' ? tx.at : null
  await tx.db
    .insertInto('files')
    .values({ name, size, scope, kind, uid, created_at: tx.at, unused_since })
    .execute()
}

/** The bytes of a picture; null when its file is gone. */
export async function readImage(
  app: Pick<App, 'config'>,
  name: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return new Uint8Array(await readFile(pathOf(app, name)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Takes the picture of this address away, row and file, if it is one of the scope's; null and foreign addresses are nobody's. */
export async function dropImage(
  app: Pick<App, 'config' | 'log'>,
  tx: Tx,
  scope: Scope,
  url: string | null,
): Promise<void> {
  if (url === null || !url.startsWith(FILES_PATH)) return
  const gone = await tx.db
    .deleteFrom('files')
    .where('name', '=', url.slice(FILES_PATH.length))
    .where('scope', '=', scope)
    .returning('name')
    .executeTakeFirst()
  if (gone) tx.afterCommit(() => void unlink(app, [gone.name]))
}

/** Takes every picture of a scope away: its owner is no more. */
export async function dropImagesOf(app: Pick<App, 'config' | 'log'>, tx: Tx, scope: Scope): Promise<void> {
  const gone = await tx.db.deleteFrom('files').where('scope', '=', scope).returning('name').execute()
  const names = gone.map(({ name }) => name)
  if (names.length > 0) tx.afterCommit(() => void unlink(app, names))
}

/** Removes files from the disk; what cannot be removed now is swept later. */
export async function unlink(app: Pick<App, 'config' | 'log'>, names: readonly string[]): Promise<void> {
  for (const name of names)
    try {
      await rm(pathOf(app, name), { force: true })
    } catch (error) {
      app.log.warn({ err: error }, 'file not removed')
    }
}
