// A file as an answer: sent while it is being read, saved by the browser, never shown in the page.
import type { FileAnswer } from '#contract/endpoint.ts'
import type { App } from '../context.ts'

/** The response of a file. When reading fails midway the connection is cut: half a file must not look like a whole one. */
export function fileResponse(
  app: Pick<App, 'log'>,
  file: FileAnswer<string | Uint8Array>,
  where: string,
): Response {
  const encoder = new TextEncoder()
  const source = file.chunks[Symbol.asyncIterator]()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await source.next()
        if (done) controller.close()
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
      } catch (error) {
        app.log.error({ err: error, where }, 'file cut off')
        controller.error(error)
      }
    },
    async cancel() {
      await source.return?.()
    },
  })
  const plain = file.filename.replace(/[^\x20-\x7e]|["\\]/g, '_')
  return new Response(body, {
    headers: {
      'content-type': file.content_type,
      'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    },
  })
}
