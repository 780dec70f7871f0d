// Makes a photograph small before it leaves the device: it travels quickly, and where it was taken stays here.
import { AVATAR_PX } from '#contract/limits.ts'

/** The middle square as WebP (or PNG, where the browser cannot); a file that the browser cannot draw goes as it is, and the server says what is wrong with it. */
export async function shrink(file: File): Promise<Uint8Array<ArrayBuffer>> {
  const drawn = await draw(file)
  return new Uint8Array(await (drawn ?? file).arrayBuffer())
}

async function draw(file: File): Promise<Blob | null> {
  let bitmap: ImageBitmap
  try {
    bitmap = await createImageBitmap(file)
  } catch {
    return null // no picture for this browser
  }
  const side = Math.min(bitmap.width, bitmap.height)
  const to = Math.min(side, AVATAR_PX)
  const canvas = Object.assign(document.createElement('canvas'), { width: to, height: to })
  const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2]
  canvas.getContext('2d')?.drawImage(bitmap, left, top, side, side, 0, 0, to, to)
  bitmap.close()
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/webp', 0.9))
}
