// Makes a photograph small before it leaves the device: it travels quickly, and where it was taken stays here.

/** `square` is its middle. WebP (or PNG, where the browser cannot); a file that the browser cannot draw goes as it is, and the server says what is wrong with it. */
export async function shrink(
  file: File,
  { max_px, square = false }: { max_px: number; square?: boolean },
): Promise<Uint8Array<ArrayBuffer>> {
  const drawn = await draw(file, max_px, square)
  return new Uint8Array(await (drawn ?? file).arrayBuffer())
}

async function draw(file: File, max_px: number, square: boolean): Promise<Blob | null> {
  let bitmap: ImageBitmap
  try {
    bitmap = await createImageBitmap(file)
  } catch {
    return null // no picture for this browser
  }
  const side = Math.min(bitmap.width, bitmap.height)
  const [across, down] = square ? [side, side] : [bitmap.width, bitmap.height]
  const scale = Math.min(1, max_px / Math.max(across, down))
  const size = {
    width: Math.max(1, Math.round(across * scale)),
    height: Math.max(1, Math.round(down * scale)),
  }
  const canvas = Object.assign(document.createElement('canvas'), size)
  const [left, top] = [(bitmap.width - across) / 2, (bitmap.height - down) / 2]
  canvas.getContext('2d')?.drawImage(bitmap, left, top, across, down, 0, 0, size.width, size.height)
  bitmap.close()
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/webp', 0.9))
}
