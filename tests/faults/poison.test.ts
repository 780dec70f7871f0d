// One message that cannot be stored (F10), and clocks that jump (F9): the others are stored all the same, and order is by number.
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getProfile } from '#contract/profile.ts'
import { signalFeed } from '#contract/signal.ts'
import type { Schema } from '#server/db/schema.ts'
import { type Desk, openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { signIn } from '#tests/support/people.ts'
import { openStream } from '#tests/support/stream.ts'

const DAY_MS = 86_400_000

/** From now on the database refuses deliveries that say so, with an error that is no matter of storage. */
async function poison(db: Kysely<Schema>, engine: 'sqlite' | 'postgres'): Promise<void> {
  if (engine === 'sqlite') {
    await sql
      .raw(
        "create trigger poison before insert on signals when new.body like '%poison%' begin select raise(abort, 'poisoned'); end",
      )
      .execute(db)
    return
  }
  await sql
    .raw(
      "create function poison() returns trigger language plpgsql as $$ begin if new.body like '%poison%' then raise exception 'poisoned'; end if; return new; end $$",
    )
    .execute(db)
  await sql
    .raw('create trigger poison before insert on signals for each row execute function poison()')
    .execute(db)
}

describeEngines('a message that cannot be stored', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())
  const message = (id: string) =>
    JSON.stringify({ id, symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000, timenow: desk.at() })

  test('is refused without 2xx; those beside it in the same commit are stored, in an unbroken chain', async () => {
    const { strategy, send } = await desk.strategy()
    const other = await desk.strategy()
    await poison(desk.server.app.db, engine)
    const ids = Array.from({ length: 40 }, (_none, i) => (i % 10 === 3 ? `poison${i}` : `well${i}`))
    const replies = await Promise.all(ids.map((id, i) => (i % 2 ? send : other.send)(message(id))))
    for (const [i, id] of ids.entries())
      expect([id, replies[i]?.status]).toEqual([id, id.startsWith('poison') ? 503 : 200])
    // And the queue goes on.
    expect((await send(message('after'))).status).toBe(200)
    const stored = [...(await desk.records(strategy)), ...(await desk.records(other.strategy))]
    expect(new Set(stored.map((record) => record.external_id))).toEqual(
      new Set([...ids.filter((id) => id.startsWith('well')), 'after']),
    )
    expect(stored).toHaveLength(37)
    const chain = (await desk.records(strategy)).toReversed()
    expect(chain.map((record) => record.chain_seq)).toEqual(chain.map((_record, i) => i + 1))
    for (const [i, record] of chain.entries()) if (i > 0) expect(record.prev_hash).toBe(chain[i - 1]?.hash)
  })
})

describeEngines('a clock that jumps', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  test('a day ahead and a day back: every signal once, in the order of the numbers; who is signed in stays so', async () => {
    const { strategy, send } = await desk.strategy()
    const reader = await openStream(desk.server, desk.person.token)
    const start = Date.now()
    const jumps = [0, DAY_MS, 1_000, -DAY_MS, 2_000, 3_600_000, -3_600_000, 3_000, 9_000, 4_000]
    const bodies: string[] = []
    for (const [i, jump] of jumps.entries()) {
      desk.setClock(start + jump)
      const timenow = new Date(start + jump + i).toISOString()
      const body = JSON.stringify({
        id: `j${i}`,
        symbol: 'MXF1!',
        action: 'buy',
        qty: 1,
        price: 46_000,
        timenow,
      })
      bodies.push(body)
      expect((await send(body)).status).toBe(200)
      // Sent again under the same clock or an hour away it is a copy, not a second signal.
      expect((await send(body)).answer.status).toBe('duplicate')
      // A copy stays one when the clock went back a little in between.
      if (jump === 4_000) expect((await send(bodies[i - 1] as string)).answer.status).toBe('duplicate')
      // Whoever came before the jump is still known, and whoever signs in under the wrong clock is, too.
      await desk.person.call(getProfile, {})
      const late = await signIn(desk.server, desk.person.email)
      await late.call(getProfile, {})
    }
    desk.setClock(null)
    const ids = jumps.map((_jump, i) => `j${i}`)
    const feed = await desk.person.call(signalFeed, { after: 0, limit: 1_000, strategy_id: strategy.id })
    expect(feed.items.map((record) => record.external_id)).toEqual(ids)
    expect(feed.items.map((record) => record.chain_seq)).toEqual(ids.map((_id, i) => i + 1))
    await reader.until(1)
    const signals = () => reader.events.filter((event) => event.kind === 'signal')
    await expect.poll(() => signals().length).toBe(ids.length)
    const seqs = signals().map((event) => event.seq)
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
    // A reader that comes back with the cursor of before the jumps misses nothing and gets nothing twice.
    const again = await openStream(desk.server, desk.person.token, reader.cursor())
    expect((await send(bodies[0] as string)).answer.status).toBe('duplicate')
    await reader.close()
    await again.close()
  })

  test('what came while the clock was a day ahead marks nothing that comes once it is right', async () => {
    const { send } = await desk.strategy()
    const body = JSON.stringify({ symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 })
    desk.setClock(Date.now() + DAY_MS)
    expect((await send(body)).answer.flags).not.toContain('possible_duplicate')
    expect((await send(body)).answer.flags).toContain('possible_duplicate')
    desk.setClock(null)
    const { answer } = await send(body)
    expect(answer.status).toBe('accepted')
    expect(answer.flags).not.toContain('possible_duplicate')
  })
})
