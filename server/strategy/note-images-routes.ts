// The calls on pictures of notes: brought, and read by whoever may read the note.
import { ApiError } from '#contract/errors.ts'
import { NOTE_IMAGE_BYTES, NOTE_IMAGE_PX } from '#contract/limits.ts'
import { getNoteImage, uploadNoteImage } from '#contract/strategy.ts'
import { today } from '../access/membership.ts'
import { requireStill } from '../access/strategies.ts'
import type { App } from '../context.ts'
import { keepImage, readImage, storeImage, undoImage } from '../file/store.ts'
import { handle, type Route } from '../http/handle.ts'
import { findImage } from './note-images.ts'

export function imageRoutes(app: App): Route[] {
  return [
    handle(app, uploadNoteImage, {
      async prepare({ actor, input: { image } }) {
        if (!actor.email_verified) throw new ApiError(6010)
        if (image.byteLength > NOTE_IMAGE_BYTES)
          throw new ApiError(4130, {
            text: `圖片太大，最多 ${NOTE_IMAGE_BYTES / 1024 / 1024} MB；請縮小後再上傳`,
          })
        await app.limits.take('image', actor.uid)
        return storeImage(app, image, { max_px: NOTE_IMAGE_PX, of_note: true })
      },
      async run({ tx, actor, prepared }) {
        await requireStill(tx.db, actor, 'strategy:create', today(app))
        await keepImage(tx, prepared, { scope: actor.scope, kind: 'note', uid: actor.uid })
        return { url: prepared.url }
      },
      undo: undoImage,
    }),
    handle(app, getNoteImage, async ({ tx, actor, input: { id } }) => {
      const name = await findImage(tx.db, actor, id)
      const bytes = name === null ? null : await readImage(app, name)
      if (!bytes) throw new ApiError(4040)
      return { filename: `${id}.webp`, content_type: 'image/webp', chunks: once(bytes) }
    }),
  ]
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
