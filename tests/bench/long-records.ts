// A folder with strategies that have long records, written in process, for a server that is started on it afterwards.
import { closeSync, fsyncSync, mkdtempSync, openSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createStrategy } from '#contract/strategy.ts'
import { append, bareOf } from '#tests/support/append.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { startServer } from '#tests/support/server.ts'
import { record } from '../trading/records.ts'

const BATCH = 500
/** A record a minute, so that figures have days. */
const MINUTE_MS = 60_000
const START = Date.UTC(2025, 0, 6, 1)

export interface LongRecords {
  data_dir: string
  people: { person: Person; strategies: { id: string; hook: string }[] }[]
}

/** So many people with so many strategies of so many records each. */
export async function longRecords(people: number, strategies: number, records: number): Promise<LongRecords> {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-bench-'))
  const server = await startServer({ data_dir })
  await sql.raw('pragma synchronous = off').execute(server.app.db)
  const made: LongRecords = { data_dir, people: [] }
  try {
    for (let n = 0; n < people; n++) {
      const person = await signUp(server, `量測 ${n}`)
      const own: LongRecords['people'][number] = { person, strategies: [] }
      made.people.push(own)
      for (let s = 0; s < strategies; s++) {
        const settings = { product_code: 'MXF' }
        const { id, webhooks } = await person.call(createStrategy, {
          kind: 'futures',
          name: `策略 ${s}`,
          settings,
        })
        own.strategies.push({ id, hook: new URL(webhooks?.[0]?.url as string).pathname })
      }
    }
    // After all calls: while records are written the loop stands, and a connection kept for the next call would be closed meanwhile.
    for (const { id } of made.people.flatMap((one) => one.strategies))
      for (let done = 0; done < records; done += BATCH)
        await append(
          server.app,
          id,
          server.app.fold_cache,
          Array.from({ length: Math.min(BATCH, records - done) }, (_, i) => {
            const at = done + i
            const occurred_at = new Date(START + at * MINUTE_MS).toISOString()
            return bareOf(
              id,
              record(at + 1, at % 2 ? 'sell' : 'buy', 1, 46_000 + ((at * 7) % 400), { occurred_at }),
            )
          }),
        )
    // Nobody was to be told of them: else the measured server would plan notifications of every record while it is asked.
    await sql`delete from notify_cursors`.execute(server.app.db)
    await sql`insert into notify_cursors (scope, seq) select scope, seq from counters`.execute(server.app.db)
  } finally {
    await server.close()
  }
  // Else the first checkpoint of the measured server would wait for all of it to reach the disk.
  for (const name of readdirSync(data_dir)) {
    if (!name.startsWith('lingbo.db')) continue
    const file = openSync(join(data_dir, name), 'r+')
    fsyncSync(file)
    closeSync(file)
  }
  return made
}
