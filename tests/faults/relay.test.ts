// Two processes whose PostgreSQL goes away and comes back (F4, F6): what happens in one comes out of the streams of the other again, what happened meanwhile included.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { updateName } from '#contract/profile.ts'
import { onPostgres } from '#tests/support/engines.ts'
import { call, signUp } from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { startServer } from '#tests/support/server.ts'
import { openStream, type Reader } from '#tests/support/stream.ts'
import { startProxy } from './proxy.ts'

/** Far less than the minute after which every stream looks at the table by itself. */
const SOON = { timeout: 60_000 }

describe.runIf(onPostgres())('after the database was away', () => {
  test.each(['cut', 'ended by the database'] as const)('%s', async (how) => {
    const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-relay-'))
    const database = await createDatabase()
    const proxy = await startProxy(database.url)
    const start = () => startServer({ data_dir, env: { DATABASE_URL: proxy.url } })
    const servers = [await start(), await start()] as const
    const person = await signUp(servers[0], '一', { verify: false })
    const readers = [await openStream(servers[0], person.token), await openStream(servers[1], person.token)]
    let count = 0
    const rename = (at: 0 | 1) =>
      call(servers[at], updateName, { name: `名字 ${++count}` }, { authorization: `Bearer ${person.token}` })
    const heard = (reader: Reader | undefined) =>
      reader?.events.filter(({ kind }) => kind === 'profile').length
    const allHeard = () => expect.poll(() => readers.map(heard), SOON).toEqual([count, count])
    const listeners = async () => Number((await ask(LISTENERS)).rows[0]?.['count'])
    const ask = async (statement: string) => {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      try {
        return await client.query(statement)
      } finally {
        await client.end()
      }
    }

    await rename(0)
    await rename(1)
    await allHeard()
    await expect.poll(listeners, SOON).toBe(2)
    if (how === 'cut') {
      await proxy.cut()
      await expect.poll(listeners, SOON).toBe(0)
      await proxy.restore()
    } else await ask(ENDED)
    // Taken as soon as there is a database again, whether or not the other listens by then.
    for (const at of [0, 1] as const)
      await expect
        .poll(
          () =>
            rename(at).then(
              () => 'taken',
              () => 'refused',
            ),
          SOON,
        )
        .toBe('taken')
    const taken = Number((await ask('select seq from counters')).rows[0]?.['seq'])
    await expect.poll(() => readers.map(heard), SOON).toEqual([taken, taken])
    await expect.poll(listeners, SOON).toBe(2)
    await rename(0)
    await rename(1)
    await expect.poll(() => readers.map(heard), SOON).toEqual([taken + 2, taken + 2])

    for (const reader of readers) await reader.close()
    for (const server of servers) await server.close()
    await proxy.close()
    await database.drop()
    rmSync(data_dir, { recursive: true, force: true })
  })
})

const LISTENERS = `select count(*) from pg_stat_activity where datname = current_database() and query like 'listen %'`
const ENDED = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
