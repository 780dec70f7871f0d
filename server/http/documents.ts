// GET /api/openapi.json and /api/docs: made once, from the contract.
import { Hono } from 'hono'
import type { App } from '../context.ts'
import { docsPage } from './docs.ts'
import { openApi } from './openapi.ts'
import { readingPolicy, secureHeaders } from './secure.ts'

const VERSION = '1'

export function documentRoutes(app: Pick<App, 'config'>): Hono {
  let made: { json: string; html: string; policy: string } | undefined
  function make() {
    const document = openApi(VERSION)
    const html = docsPage(document)
    return { json: JSON.stringify(document), html, policy: readingPolicy(html) }
  }
  const headers = { ...secureHeaders(app.config.public_url), 'cache-control': 'no-cache' }
  const router = new Hono()
  router.get('/openapi.json', () => {
    made ??= make()
    return new Response(made.json, {
      headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    })
  })
  router.get('/docs', () => {
    made ??= make()
    return new Response(made.html, {
      headers: {
        ...headers,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': made.policy,
      },
    })
  })
  return router
}
