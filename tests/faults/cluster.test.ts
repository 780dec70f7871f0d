// Two server processes on one PostgreSQL (F6): 2,000 messages to both in turn, one is killed in the middle; each signal once, the streams whole and in order.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AppEvent } from '#contract/events.ts'
import type { SignalRecord } from '#contract/signal.ts'
import { createStrategy } from '#contract/strategy.ts'
import { sha256 } from '#server/ids.ts'
import { hookPath } from '#tests/support/desk.ts'
import { onPostgres } from '#tests/support/engines.ts'
import { signUp } from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { spawnServer } from '#tests/support/server.ts'
import { openStream, type Reader } from '#tests/support/stream.ts'
import { canonical, FACT_KEYS, GENESIS, linkText } from '#trading/chain.ts'
import type { Facts } from '#trading/record.ts'

const MESSAGES = 2_000
const AT_ONCE = 32
/** A sender that is refused so often will never be taken. */
const TRIES_MOST = 500

describe.runIf(onPostgres())('two processes, one PostgreSQL', () => {
  test('one killed while both are busy', async () => {
    const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-cluster-'))
    const database = await createDatabase()
    const env = { LOG_LEVEL: 'error', DATABASE_URL: database.url }
    const one = await spawnServer({ data_dir, env })
    const two = await spawnServer({ data_dir, env })
    for (const server of [one, two]) onTestFinished(() => void server.stop('SIGKILL'))
    const person = await signUp(one)
    const paths: string[] = []
    for (let i = 0; i < 3; i++) {
      const made = await person.call(createStrategy, {
        kind: 'futures',
        name: `雙機 ${i}`,
        settings: { product_code: 'MXF' },
      })
      paths.push(hookPath(made))
    }
    const at_one = await openStream(one, person.token)
    const at_two = await openStream(two, person.token)
    let killed = false
    let end: Promise<unknown> = Promise.resolve()
    let next = 0
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < MESSAGES) {
          const n = next++
          if (n === MESSAGES / 2) {
            killed = true
            end = one.stop('SIGKILL')
          }
          const body = JSON.stringify({
            id: `m${n}`,
            symbol: 'MXF1!',
            action: n % 2 ? 'sell' : 'buy',
            qty: 1,
            price: 46_000,
            timenow: new Date().toISOString(),
          })
          // Sent again, to the other one, until it is taken: the sender knows no more than that.
          for (let tries = n; ; tries++) {
            if (tries > n + TRIES_MOST) throw new Error(`m${n} is taken by neither`)
            const server = tries % 2 || killed ? two : one
            const answer = await server
              .request(paths[n % 3] as string, { method: 'POST', body })
              .catch(() => null)
            if (answer?.ok) break
          }
        }
      }),
    )
    await end
    const ids = Array.from({ length: MESSAGES }, (_none, n) => `m${n}`)
    const feed: SignalRecord[] = []
    for (let more = true, after = 0; more; ) {
      const answer = await two.request(`/api/v1/signals?after=${after}&limit=1000`, {
        headers: { authorization: `Bearer ${person.token}` },
      })
      const { result: page } = (await answer.json()) as {
        result: { items: SignalRecord[]; next_after: number; more: boolean }
      }
      feed.push(...page.items)
      after = page.next_after
      more = page.more
    }
    expect(feed.map((record) => record.external_id).toSorted()).toEqual(ids.toSorted())
    const heads = new Map<string, string>()
    for (const record of feed) {
      const prev = heads.get(record.strategy_id) ?? GENESIS
      const facts = Object.fromEntries(FACT_KEYS.map((key) => [key, record[key]])) as unknown as Facts
      expect([record.prev_hash, record.hash]).toEqual([prev, sha256(linkText(prev, canonical(facts)))])
      heads.set(record.strategy_id, record.hash)
    }

    const heard = (reader: Reader) =>
      reader.events.filter((event): event is AppEvent & { kind: 'signal' } => event.kind === 'signal')
    await expect.poll(() => heard(at_two).length, { timeout: 300_000 }).toBe(MESSAGES)
    expect(heard(at_two).map((event) => event.data.id)).toEqual(feed.map((record) => record.id))
    // The one that was killed had told the beginning; its reader goes on at the other, where it had stopped.
    const rest = await openStream(two, person.token, at_one.cursor())
    await expect.poll(() => heard(at_one).length + heard(rest).length, { timeout: 300_000 }).toBe(MESSAGES)
    expect([...heard(at_one), ...heard(rest)].map((event) => event.data.id)).toEqual(
      feed.map((record) => record.id),
    )
    expect(heard(at_one).length).toBeGreaterThan(0)
    for (const reader of [at_one, at_two, rest]) await reader.close()
    await two.stop()
    await database.drop()
    rmSync(data_dir, { recursive: true, force: true })
  })
})
