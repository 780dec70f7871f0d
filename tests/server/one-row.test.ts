// An accepted message is one row: its record, what is kept of its delivery, and both events. Rows as they stood before say the same.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Scope } from '#contract/events.ts'
import { DELIVERY_KEPT_DAYS } from '#contract/limits.ts'
import { getSignal, voidSignal } from '#contract/signal.ts'
import type { Webhook } from '#contract/webhook.ts'
import { tidy } from '#server/housekeeping.ts'
import { eventsAfter, nextNumber } from '#server/stream/read.ts'
import { type Desk, openDesk } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { openGround } from '../support/replays.ts'
import { tablesOf } from '../support/tables.ts'

describeEngines('one row a message', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  const counts = async () => {
    const { db } = desk.server.app
    const of = async (table: 'messages' | 'signals' | 'events') => {
      const found = db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('n'))
      return Number((await found.executeTakeFirstOrThrow()).n)
    }
    return { messages: await of('messages'), signals: await of('signals'), events: await of('events') }
  }

  /** Everything that somebody can be told of it, the stream read in pages of any size. */
  async function everything(webhook: Webhook, signal_ids: readonly string[]) {
    const { db } = desk.server.app
    const scope: Scope = `p:${desk.person.uid}`
    const whole = (await eventsAfter(db, scope, 0, { most: 1_000 })).events
    for (const most of [1, 2, 3, 7]) {
      const paged = []
      for (let seq: number | null = 0; seq !== null; ) {
        const page = await eventsAfter(db, scope, seq, { most })
        paged.push(...page.events)
        expect(await nextNumber(db, scope, seq)).toBe(page.last === null ? null : seq + 1)
        seq = page.last
      }
      expect(paged).toEqual(whole)
    }
    const news = (await eventsAfter(db, scope, 0, { most: 1_000, news: true })).events
    const signals = await Promise.all(signal_ids.map((id) => desk.person.call(getSignal, { id })))
    return { whole, news, deliveries: await desk.deliveries(webhook), signals }
  }

  test('a signal adds one row, and a refused message one of its own', async () => {
    const { send } = await desk.strategy()
    const before = await counts()
    await send(JSON.stringify({ symbol: 'MXF1!', action: 'buy', price: 1, timenow: desk.at() }))
    expect(await counts()).toEqual({ ...before, signals: before.signals + 1 })
    await send('nothing that anybody could read')
    expect(await counts()).toMatchObject({ messages: before.messages + 1, signals: before.signals + 1 })
  })

  test('read again, voided, refused, doubled: the same is told as of rows that stand apart', async () => {
    const on = await openGround(desk)
    const { webhook, send } = on
    const said = async (over: object) =>
      (
        await send(
          JSON.stringify({ symbol: 'MXF1!', action: 'buy', price: 46_000, timenow: desk.at(), ...over }),
        )
      ).answer
    const first = await said({ id: '1' })
    await said({ id: '1' })
    const second = await said({ id: '2', timenow: desk.at(-3_600) })
    await said({ symbol: 'TXF1!' })
    await on.order('去')
    await on.map({ fields: { price: 'p1' }, words: { 去: 'long_entry' } } as never)
    await on.commit()
    await desk.person.call(voidSignal, { id: first.signal_id as string, reason: '打錯了' })
    const ids = [first.signal_id, second.signal_id] as string[]
    const now = await everything(webhook, ids)
    expect(new Set(now.deliveries.map(({ outcome }) => outcome)).size).toBeGreaterThan(2)
    await standApart()
    expect(await everything(webhook, ids)).toEqual(now)
  })

  test.each([1, 0])('after its days the message goes, and the record stays; counted: %i', async (kept) => {
    const { webhook, send } = await desk.strategy()
    const { answer } = await send(
      JSON.stringify({ symbol: 'MXF1!', action: 'buy', price: 5, timenow: desk.at() }),
    )
    const record = async () => desk.person.call(getSignal, { id: answer.signal_id as string })
    expect((await record()).delivery?.id).toBe(answer.delivery_id)
    const query = desk.server.app.db.updateTable('webhooks').set({ kept }).where('id', '=', webhook.id)
    await query.execute()
    desk.setClock(Date.now() + (DELIVERY_KEPT_DAYS + 1) * 86_400_000)
    await tidy(desk.server.app)
    desk.setClock(null)
    expect(await desk.deliveries(webhook)).toEqual([])
    expect(await record()).toMatchObject({ delivery: null, delivery_id: answer.delivery_id, price: 5 })
    const left = await desk.server.app.db
      .selectFrom('webhooks')
      .select(['kept', 'signal_bytes'])
      .where('id', '=', webhook.id)
      .executeTakeFirstOrThrow()
    expect(left).toEqual({ kept: 0, signal_bytes: 0 })
  })

  /** Every row as it would have been stored before records told their own. */
  async function standApart(): Promise<void> {
    const { db } = desk.server.app
    const columns = (await tablesOf(db)).find(({ name }) => name === 'messages')?.columns ?? []
    const names = sql.join(columns.map(({ name }) => sql.ref(name)))
    await sql`insert into messages (${names}) select ${names} from deliveries as d
      where d.id in (select delivery_id from signals where source_ip is not null)`.execute(db)
    const kind = sql`case when source in ('void', 'correction') then 'signal-voided' else 'signal' end`
    await sql`insert into events (scope, seq, at, kind, data)
      select scope, seq, stored_at, ${kind}, '{}' from signals where event_count > 0`.execute(db)
    const id =
      engine === 'sqlite'
        ? sql`json_object('id', delivery_id)`
        : sql`json_build_object('id', delivery_id)::text`
    await sql`insert into events (scope, seq, at, kind, data)
      select scope, seq + 1, stored_at, 'delivery', ${id} from signals where event_count = 2`.execute(db)
    await sql`update signals set event_count = 0, source_ip = null`.execute(db)
  }
})
