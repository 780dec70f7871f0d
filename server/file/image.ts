// Pictures from strangers: only three formats, by what is in the bytes; measured before they are decoded; drawn anew, so that
// nothing but the pixels survives (no place of the photograph, no second file hidden behind the first).
import { ApiError } from '#contract/errors.ts'
import { IMAGE_PIXELS, IMAGE_SIDE_PX } from '#contract/limits.ts'
import { fewAtOnce } from '../limits/concurrency.ts'

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

export interface ImageOptions {
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
