// Pictures (server/file/storage.ts has their bytes), each with a row that says whose it is. The bytes are written before the row: a row
// without its file would be a hole on a page, a file without a row is swept away.

import { randomBytes } from 'node:crypto'
import { ApiError } from '#contract/errors.ts'
import type { Scope } from '#contract/events.ts'
import { IMAGE_PIXELS, IMAGE_SIDE_PX } from '#contract/limits.ts'
import { noteImageAddress } from '#contract/strategy.ts'
import type { App, Tx } from '../context.ts'
import type { FileRow } from '../db/schema.ts'
import { fewAtOnce } from '../limits/concurrency.ts'
import { roomForImage } from '../usage/quotas.ts'
import { putPicture, removePicture } from './storage.ts'

// Pictures from strangers: only three formats, by what is in the bytes; measured before they are decoded; drawn anew, so that
// nothing but the pixels survives (no place of the photograph, no second file hidden behind the first).

/** A decoded picture of the largest size takes 160 MB: only so many at a time. */
const inTurn = fewAtOnce({
  at_once: 2,
  waiting_most: 20,
  refused: () => new ApiError(5030, { retry_after_s: 5, text: '正在處理的圖片太多，請 5 秒後再試' }),
})
/** Seconds that decoding, shrinking and encoding may take together. */
const TIME_S = 10

const NOT_A_PICTURE = '不接受這種檔案，請改用 PNG、JPEG 或 WebP 圖片'
const TOO_LONG = '圖片太長，任何一邊最多 16,383 像素'
const TOO_LARGE = '圖片太大，請改用 4,000 萬像素以內的'

interface ImageOptions {
  /** Longest side afterwards, in pixels; smaller pictures stay as they are. */
  readonly max_px: number
  /** Cut to a square around the middle. */
  readonly square?: boolean
}

let loaded: Promise<typeof import('sharp')> | undefined

/** The picture as WebP without metadata. ApiError 4150 (no picture we take, or a broken one), 4130 (too many pixels), 5030. */
export async function redraw(
  bytes: Uint8Array,
  { max_px, square = false }: ImageOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  loaded ??= load()
  const { default: sharp } = await loaded
  return inTurn(async () => {
    try {
      const picture = sharp(bytes, { limitInputPixels: IMAGE_PIXELS, failOn: 'error' })
        .autoOrient()
        .timeout({ seconds: TIME_S })
        .toColourspace('srgb')
      const { width, height } = (await picture.metadata()).autoOrient
      if (Math.max(width, height) > IMAGE_SIDE_PX)
        throw new ApiError(4130, { text: TOO_LONG, msg: 'too long' })
      const side = Math.min(max_px, square ? Math.min(width, height) : Math.max(width, height))
      picture.resize({ width: side, height: side, fit: square ? 'cover' : 'inside' })
      return new Uint8Array(await picture.webp({ quality: 82, effort: 4 }).toBuffer())
    } catch (error) {
      if (error instanceof ApiError) throw error
      const why = error instanceof Error ? error.message : ''
      if (/pixel limit|dimensions? exceed|too large|timeout/i.test(why))
        throw new ApiError(4130, { text: TOO_LARGE, msg: 'too many pixels' })
      throw new ApiError(4150, { text: NOT_A_PICTURE, msg: 'not a PNG, JPEG or WebP that can be decoded' })
    }
  })
}

/** Loaded with the first picture: most starts of the server never need it. */
async function load(): Promise<typeof import('sharp')> {
  const library = await import('sharp')
  const { default: sharp } = library
  sharp.block({ operation: ['VipsForeignLoad'] })
  const formats = ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer']
  sharp.unblock({ operation: formats })
  sharp.cache(false)
  sharp.concurrency(1)
  return library
}

/** 160 random bits: whoever has the address may see the picture (ruling A29). Pictures of notes have another name (docs/decisions/screens.md). */
const NAME = /^[0-9a-f]{40}\.webp$/
const FILES_PATH = '/files/'

/** The file of a note's picture: no address under /files leads to it. */
export const noteFile = (id: string): string => `${id}.note.webp`

/** A picture that is stored and belongs to nobody yet. */
interface StoredImage {
  readonly name: string
  /** As it stands in profiles, organizations and notes. */
  readonly url: string
  readonly size: number
}

/** True for a name this room gives; what else is asked for under /files does not exist. */
export function isFileName(name: string): boolean {
  return NAME.test(name)
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
  await putPicture(app, name, webp)
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

/** Removes the bytes; what cannot be removed now is swept later. */
export async function unlink(app: Pick<App, 'config' | 'log'>, names: readonly string[]): Promise<void> {
  for (const name of names)
    try {
      await removePicture(app, name)
    } catch (error) {
      app.log.warn({ err: error }, 'file not removed')
    }
}
