// What a person was told is kept with the event as its id only: who comes back hears it as it stands in the inbox, and nothing of it once
// its strategy is deleted with its records.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AppEvent } from '#contract/events.ts'
import { createGroup, setGroupStrategies } from '#contract/group.ts'
import { readNotifications } from '#contract/notification.ts'
import { deleteStrategy } from '#contract/strategy.ts'
import { hookPath } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Office, openOffice } from '#tests/support/office.ts'
import type { Person } from '#tests/support/people.ts'
import { openStream } from '#tests/support/stream.ts'

describeEngines('notifications on the stream', (engine) => {
  let office: Office
  let member: Person
  let group: string
  beforeAll(async () => {
    office = await openOffice(engine)
    group = (await office.inside(office.admin, createGroup, { name: '會員' })).id
    member = await office.join('陳會員', { group_ids: [group] })
  })
  afterAll(() => office.server.close())

  /** A strategy of the member's that fires once: what the member's stream tells of it live. */
  async function fired(name: string) {
    const { server, admin } = office
    const strategy = await office.strategy(name)
    await office.inside(admin, setGroupStrategies, { id: group, strategy_ids: [strategy.id] })
    await server.app.notifier.catchUp()
    const reader = await openStream(server, member.token)
    const cursor = reader.cursor()
    const body = JSON.stringify({ symbol: 'TXF1!', action: 'buy', quantity: 1, price: 23_000 })
    await server.request(hookPath(strategy), { method: 'POST', body })
    await server.app.notifier.catchUp()
    const told = () => reader.events.find(({ kind }) => kind === 'notification')
    await expect.poll(told).toBeTruthy()
    await reader.close()
    const event = told() as AppEvent & { kind: 'notification' }
    return { strategy, cursor, event }
  }
  const stored = async () => {
    const rows = await office.server.app.db
      .selectFrom('events')
      .select('data')
      .where('kind', '=', 'notification')
      .execute()
    return rows.map(({ data }) => JSON.parse(data) as { id: string })
  }

  test('who comes back hears it whole, as it stands by now', async () => {
    const { cursor, event } = await fired('早盤突破')
    expect(event.data).toMatchObject({ title: expect.stringContaining('早盤突破'), read_at: null })
    expect((await stored()).at(-1)).toEqual({ id: event.data.id })
    const back = await openStream(office.server, member.token, cursor)
    await expect.poll(() => back.events).toContainEqual(event)
    await back.close()
    await member.call(readNotifications, { ids: [event.data.id] })
    const later = await openStream(office.server, member.token, cursor)
    await expect
      .poll(() => later.events.find(({ kind }) => kind === 'notification')?.data)
      .toEqual({ ...event.data, read_at: expect.any(String) })
    await later.close()
  })

  test('from the answer on nobody hears what was told of a strategy that was deleted with its records', async () => {
    const { strategy, cursor } = await fired('不留痕跡')
    const { app } = office.server
    // Nothing is erased yet, as if the server had stopped right after the answer.
    app.jobs.held.add('erase')
    const { id, name } = strategy
    await office.inside(office.admin, deleteStrategy, { id, name, keep_records: false })
    const silent = async () => {
      const back = await openStream(office.server, member.token, cursor)
      await expect.poll(() => back.events.map(({ kind }) => kind)).toContain('reset')
      await back.close()
      expect(JSON.stringify(back.events)).not.toContain('不留痕跡')
    }
    await silent()
    app.jobs.held.clear()
    await app.jobs.settled('erase')
    await silent()
    const rows = await app.db.selectFrom('events').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('不留痕跡')
  })
})
