// GET /files/{name}: pictures, for whoever has the address. Never anything but a picture, whatever its bytes say (T8).
import { Hono } from 'hono'
import type { App } from '../context.ts'
import { secureHeaders } from '../http/secure.ts'
import { getPicture } from './storage.ts'
import { isFileName } from './store.ts'

/** Mounted under /files. */
export function fileRoutes(app: Pick<App, 'config' | 'log'>): Hono {
  const shared = {
    ...secureHeaders(app.config.public_url),
    'content-security-policy': "default-src 'none'; sandbox",
  }
  const refuse = (status: 404 | 405 | 503, text: string, more: Record<string, string> = {}) =>
    new Response(`${text}\n`, {
      status,
      headers: {
        ...shared,
        ...more,
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
      },
    })
  const router = new Hono()
  router.all('/:name', async (c) => {
    const { method } = c.req
    if (method !== 'GET' && method !== 'HEAD') return refuse(405, '不支援這個操作', { allow: 'GET, HEAD' })
    const name = c.req.param('name')
    let bytes: Awaited<ReturnType<typeof getPicture>>
    try {
      bytes = isFileName(name) ? await getPicture(app, name) : null
    } catch (error) {
      app.log.warn({ err: error }, 'picture not read')
      return refuse(503, '圖片暫時讀不到', { 'retry-after': '5' })
    }
    if (!bytes) return refuse(404, '找不到這個檔案')
    const headers = {
      ...shared,
      'content-type': 'image/webp',
      'content-length': String(bytes.byteLength),
      'content-disposition': 'inline',
      // A name is never used twice.
      'cache-control': 'public, max-age=31536000, immutable',
    }
    return new Response(method === 'HEAD' ? null : bytes, { headers })
  })
  return router
}
