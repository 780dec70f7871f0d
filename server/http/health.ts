// Is the process up, and can it do its work: for whoever watches the server.
import { Hono } from 'hono'
import { sql } from 'kysely'
import type { App } from '../context.ts'
import { pendingMigrations } from '../db/migrate.ts'

/** GET /healthz and /readyz; `isStopping` makes the second say no while requests are still being finished. */
export function healthRoutes(app: App, isStopping: () => boolean): Hono {
  const router = new Hono()
  router.get('/healthz', () => tell(200, { status: 'up' }))
  router.get('/readyz', async () => {
    if (isStopping()) return tell(503, { status: 'stopping' })
    try {
      await sql`select 1`.execute(app.db)
      const missing = await pendingMigrations(app.db)
      return missing.length === 0
        ? tell(200, { status: 'ready', engine: app.engine })
        : tell(503, { status: 'migrations missing' })
    } catch (error) {
      app.log.error({ err: error }, 'not ready')
      return tell(503, { status: 'database not reachable' })
    }
  })
  return router
}

function tell(status: number, body: Record<string, string>): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store' } })
}
