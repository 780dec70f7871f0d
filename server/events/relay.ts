// Several processes on one PostgreSQL: LISTEN/NOTIFY says where to look again. Only a hint: the table is the truth, and
// what a lost hint hides is found at the next look of the stream.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import type { App } from '../context.ts'
import type { ProcessHint } from './hub.ts'

const CHANNEL = 'lingbo'
/** Hints of this time travel together. */
const GATHER_MS = 10
/** PostgreSQL takes 8,000 bytes. */
const PAYLOAD_MOST = 7_500
const AGAIN_MS = 2_000

/** Joins the processes on `database_url`; gives what ends it. */
export function startRelay(
  app: Pick<App, 'db' | 'events' | 'log'>,
  database_url: string,
): () => Promise<void> {
  const me = randomUUID()
  const scopes = new Set<ProcessHint['scopes'][number]>()
  const sessions = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let client: pg.Client | undefined
  let stopped = false

  async function tell(): Promise<void> {
    timer = undefined
    const all = [...[...scopes].map((scope) => ['e', scope]), ...[...sessions].map((sid) => ['s', sid])]
    scopes.clear()
    sessions.clear()
    while (all.length > 0) {
      const part: string[][] = []
      for (let size = 100; all[0] && size < PAYLOAD_MOST; size += 80) part.push(all.shift() as string[])
      await sql`select pg_notify(${CHANNEL}, ${JSON.stringify([me, part])})`.execute(app.db)
    }
  }
  function hear(payload: string): void {
    const [from, part] = JSON.parse(payload) as [string, ['e' | 's', string][]]
    if (from === me) return
    const of = (kind: 'e' | 's') => part.filter(([what]) => what === kind).map(([, name]) => name)
    app.events.hear({ scopes: of('e') as ProcessHint['scopes'], sessions: of('s') })
  }
  async function listen(): Promise<void> {
    const made = new pg.Client({
      connectionString: database_url,
      application_name: 'lingbo-relay',
      keepAlive: true,
    })
    client = made
    made.on('notification', ({ payload = '' }) => hear(payload))
    // Both an error and a quiet end lose hints until we listen again.
    made.on('error', (error) => app.log.warn({ err: error }, 'relay lost'))
    made.once('end', () => {
      if (!stopped) setTimeout(start, AGAIN_MS).unref()
    })
    await made.connect()
    await made.query(`listen ${CHANNEL}`)
    app.events.hearAnew()
  }
  function start(): void {
    if (stopped) return
    listen().catch((error: unknown) => app.log.warn({ err: error }, 'relay cannot listen'))
  }

  app.events.tellOthers((hint) => {
    for (const scope of hint.scopes) scopes.add(scope)
    for (const sid of hint.sessions) sessions.add(sid)
    timer ??= setTimeout(() => {
      tell().catch((error: unknown) => app.log.warn({ err: error }, 'relay cannot tell'))
    }, GATHER_MS)
  })
  start()
  return async () => {
    stopped = true
    app.events.tellOthers(() => undefined)
    clearTimeout(timer)
    await client?.end()
  }
}
