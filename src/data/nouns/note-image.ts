// Pictures of a strategy's note: each is an answer like every other, kept under its context with the strategy's id in it, so that what takes the strategy takes it.
import { queryOptions } from '@tanstack/react-query'
import type { InputOf } from '#contract/endpoint.ts'
import { getNoteImage, noteImageIds, uploadNoteImage } from '#contract/strategy.ts'
import type { Ctx } from '../context.ts'
import { getData, write } from '../current.ts'
import { keys } from '../keys.ts'

export const noteImageQueries = {
  /** `strategy_id` empty before there is a strategy. `url` is the picture itself, to be shown as it is. */
  one: (ctx: Ctx, strategy_id: string, id: string) =>
    queryOptions({
      queryKey: keys.noteImage(ctx, strategy_id, id),
      queryFn: async ({ signal }) => {
        const { blob } = await getData().client.download(getNoteImage, { id }, { signal, ctx })
        return { strategy_id, url: await dataUrl(blob) }
      },
      // It never changes: another one has another id.
      staleTime: Number.POSITIVE_INFINITY,
      // before there is a strategy nothing would take it away again
      meta: { keep: strategy_id === '' ? false : 'for good' },
    }),
}

export const noteImageMutations = {
  upload: (ctx: Ctx) =>
    write((input: InputOf<typeof uploadNoteImage>) => getData().client.call(uploadNoteImage, input, { ctx })),
}

/** Fetches what this device does not have yet of a note's pictures, one after the other: they are there when the network is not. */
export async function keepNoteImages(ctx: Ctx, { id, note }: { id: string; note: string }): Promise<void> {
  for (const image_id of noteImageIds(note))
    await getData().query.prefetchQuery(noteImageQueries.one(ctx, id, image_id))
}

/** Text, and so whatever sweeps answers by what stands in them can read it. */
async function dataUrl(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let signs = ''
  for (let from = 0; from < bytes.length; from += 8_192)
    signs += String.fromCharCode(...bytes.subarray(from, from + 8_192))
  return `data:image/webp;base64,${btoa(signs)}`
}
