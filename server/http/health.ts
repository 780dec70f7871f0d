// Is the process up, and can it do its work: for whoever watches the server.
import { statfs } from 'node:fs/promises'
import { Hono } from 'hono'
import { sql } from 'kysely'
import type { App } from '../context.ts'
import { pendingMigrations } from '../db/migrate.ts'

// How much room the disk of the data has: told before it is used up.

const MB = 1024 * 1024
const EVERY_MS = 5 * 60_000

/** Bytes left where the data folder lies. */
async function roomLeft(app: Pick<App, 'config'>): Promise<number> {
  const { bavail, bsize } = await statfs(app.config.data_dir)
  return bavail * bsize
}

function isLow(app: Pick<App, 'config'>, bytes: number): boolean {
  return bytes < app.config.disk_low_mb * MB
}

/** Looks now and every five minutes, and says in the log when the disk runs out, until the returned function is called. */
export function watchDisk(app: Pick<App, 'config' | 'log'>): () => void {
  const look = () =>
    roomLeft(app).then(
      (bytes) => {
        const figures = {
          data_dir: app.config.data_dir,
          free_mb: Math.floor(bytes / MB),
          low_mb: app.config.disk_low_mb,
        }
        if (isLow(app, bytes))
          app.log.warn(figures, '磁碟空間快用完了：請清出空間，或把 DATA_DIR 移到較大的磁碟')
      },
      (error: unknown) => app.log.error({ err: error }, 'cannot see how much room the disk has'),
    )
  void look()
  const timer = setInterval(look, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** With less than this the next commit may be the one that does not fit. */
const LEAST_BYTES = 1024 * 1024

/** GET /healthz and /readyz; `isStopping` makes the second say no while requests are still being finished. */
export function healthRoutes(app: App, isStopping: () => boolean): Hono {
  const router = new Hono()
  router.get('/healthz', () => tell(200, { status: 'up' }))
  router.get('/readyz', async () => {
    if (isStopping()) return tell(503, { status: 'stopping' })
    try {
      const room = await roomLeft(app)
      // Of a database elsewhere its own refusals tell.
      if (app.engine === 'sqlite' && room < LEAST_BYTES)
        return tell(503, { status: 'disk full', text: '磁碟已滿，什麼都存不進去；空出空間就會自己恢復' })
      app.condition.look()
      if (app.condition.problem) return tell(503, { ...app.condition.problem })
      await sql`select 1`.execute(app.db)
      const missing = await pendingMigrations(app.db)
      return missing.length === 0
        ? tell(200, {
            status: 'ready',
            engine: app.engine,
            ...app.condition.checks,
            disk: isLow(app, room) ? 'low' : 'ok',
          })
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
