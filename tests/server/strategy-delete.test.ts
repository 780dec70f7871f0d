// Strategies over HTTP on both databases: deleted, kept from others, and what one person wants to hear of them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listStrategySignals, signalFeed } from '#contract/signal.ts'
import {
  deleteStrategy,
  getStrategy,
  listStrategies,
  updateStrategy,
  updateStrategyNotify,
} from '#contract/strategy.ts'

import { type Desk, hookPath, openDesk, refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Person, signIn } from '#tests/support/people.ts'

describeEngines('strategies deleted', (engine) => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())

  describe('deleted', () => {
    // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
    test('only with its name', async () => {
      const made = await desk.make()
      const error = await refused(desk.person.call(deleteStrategy, { id: made.id, name: '別的' }))
      expect([error.code, Object.keys(error.details.fields ?? {})]).toEqual([4220, ['name']])
      expect((await desk.person.call(getStrategy, { id: made.id })).id).toBe(made.id)
    })

    test.each([true, false])('keep_records %s', async (keep_records) => {
      const made = await desk.make()
      const url = hookPath(made)
      await desk.hook(made, { symbol: 'TXF1!', action: 'long_entry', quantity: 1, price: 23_000 })
      const deleted = await desk.person.call(deleteStrategy, { id: made.id, name: made.name, keep_records })
      expect(deleted).toBeNull()
      const { code } = await refused(desk.person.call(getStrategy, { id: made.id }))
      expect(code).toBe(4040)
      expect(
        (await desk.person.call(listStrategies, { page_size: 100 })).items.map(({ id }) => id),
      ).not.toContain(made.id)
      const feed = await desk.person.call(signalFeed, { limit: 1_000 })
      expect(feed.items.map((item) => item.strategy_id)).not.toContain(made.id)
      expect((await refused(desk.person.call(listStrategySignals, { id: made.id }))).code).toBe(4040)
      const answer = await desk.server.request(url, {
        method: 'POST',
        body: '{"action":"buy","symbol":"TXF1!"}',
      })
      expect(answer.status).toBe(keep_records ? 410 : 404)
      await desk.server.app.jobs.settled('erase')
      const { db } = desk.server.app
      const kept = await db.selectFrom('signals').select('id').where('strategy_id', '=', made.id).execute()
      expect(kept).toHaveLength(keep_records ? 1 : 0)
      expect((await desk.told(made.id)).at(-1)).toEqual({ id: made.id, change: 'deleted' })
      if (keep_records) return
      for (const table of ['snapshots', 'webhooks', 'deliveries'] as const)
        expect(
          await db.selectFrom(table).select('strategy_id').where('strategy_id', '=', made.id).execute(),
        ).toEqual([])
      const carriers = await db
        .selectFrom('events')
        .select('kind')
        .where('data', 'like', `%"strategy_id":"${made.id}"%`)
        .execute()
      expect(carriers).toEqual([])
    })
  })

  describe('others', () => {
    test('know nothing of it: 404 like an id that never was, and the list never shows it', async () => {
      const made = await desk.make({ name: '秘密策略' })
      const tries = [
        () => desk.stranger.call(getStrategy, { id: made.id }),
        () => desk.stranger.call(updateStrategy, { id: made.id, name: '偷改' }),
        () => desk.stranger.call(deleteStrategy, { id: made.id, name: made.name }),
        () => desk.stranger.call(updateStrategyNotify, { id: made.id, enabled: false }),
        () => desk.stranger.call(listStrategySignals, { id: made.id }),
      ]
      const never = await refused(
        desk.stranger.call(getStrategy, { id: '01890000-0000-7000-8000-000000000000' }),
      )
      for (const attempt of tries) {
        const error = await refused(attempt())
        expect([error.status, error.code, error.text]).toEqual([404, never.code, never.text])
      }
      expect((await desk.stranger.call(listStrategies, { search: '秘密', page_size: 100 })).items).toEqual([])
      expect(await desk.person.call(getStrategy, { id: made.id })).toMatchObject({ name: '秘密策略' })
    })
  })

  test('of two devices the later edit of my notify setting stands, whichever comes later; a session’s own as they come', async () => {
    const { id } = await desk.make()
    const phone = await signIn(desk.server, desk.person.email)
    const ago = (s: number) => new Date(desk.server.app.now() - s * 1_000).toISOString()
    const set = (who: Person, change: object) => who.call(updateStrategyNotify, { id, ...change })
    await set(desk.person, { enabled: true, edited_at: ago(60) })
    // Turned off on the phone an hour before that, in a tunnel; that it is important nobody else said.
    const late = await set(phone, { enabled: false, important: true, edited_at: ago(3_600) })
    expect(late).toMatchObject({ enabled: true, important: true })
    expect(await set(phone, { enabled: false, edited_at: ago(30) })).toMatchObject({ enabled: false })
    expect(await set(phone, { enabled: true, edited_at: ago(31) })).toMatchObject({ enabled: true })
    expect(await set(desk.person, { enabled: false })).toMatchObject({ enabled: false })
  })

  test('the edit of a bell that lost is given back, to whom it lost and to who covers it; who knew of it hears nothing', async () => {
    const { id } = await desk.make()
    const phone = await signIn(desk.server, desk.person.email)
    const now = Math.floor(desk.server.app.now() / 1_000) * 1_000
    const ago = (s: number) => new Date(now - s * 1_000).toISOString()
    const set = (who: Person, change: object) => who.call(updateStrategyNotify, { id, ...change })
    expect((await set(desk.person, { actions: 'opening', channels: ['push'] })).overwritten).toEqual([])
    const { at, device } = (await edits(id))['actions'] ?? {}
    // Set in a tunnel before that, come after it: what stands is later.
    const late = await set(phone, { actions: 'closing', channels: ['push'], edited_at: ago(60) })
    expect(late.actions).toBe('opening')
    const [{ device_label, ...lost } = { device_label: '' }, ...rest] = late.overwritten ?? []
    expect([device_label, lost, rest]).toEqual([
      (await edits(id))['actions']?.device,
      { path: 'actions', value: 'closing', at: ago(60), standing_at: at },
      [], // both chose the same channels
    ])
    expect(device).toBeTruthy()
    // 「還原」 is later than what stands, and made knowing of it.
    const back = await set(phone, { actions: 'closing' })
    expect([back.actions, back.overwritten]).toEqual(['closing', []])
    // Made before that came here, and later by its own time: it covers what it did not know of.
    const third = await signIn(desk.server, desk.person.email)
    await set(phone, { important: true, edited_at: ago(90) })
    const covers = await set(third, { important: false, edited_at: ago(30) })
    expect([covers.important, covers.overwritten]).toMatchObject([
      false,
      [{ path: 'important', value: true, at: ago(90), standing_at: ago(30) }],
    ])
    expect((await desk.person.call(getStrategy, { id })).my_notify).not.toHaveProperty('overwritten')
  })

  test('an edit kept before its device and its coming were is one that everybody knew of', async () => {
    const { id } = await desk.make()
    await desk.person.call(updateStrategyNotify, { id, enabled: false })
    const at = new Date(desk.server.app.now() - 60_000).toISOString()
    await desk.server.app.db
      .updateTable('strategy_notify')
      .set({ edits: JSON.stringify({ enabled: { at, sid: 'another' } }) })
      .where('strategy_id', '=', id)
      .execute()
    const later = await desk.person.call(updateStrategyNotify, { id, enabled: true })
    expect([later.enabled, later.overwritten]).toEqual([true, []])
  })

  async function edits(id: string): Promise<Record<string, { at: string; device: string } | undefined>> {
    const row = await desk.server.app.db
      .selectFrom('strategy_notify')
      .select('edits')
      .where('strategy_id', '=', id)
      .executeTakeFirstOrThrow()
    return JSON.parse(row.edits ?? '{}')
  }

  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  test('my notify setting: given fields only, shown on the strategy, told to my devices', async () => {
    const made = await desk.make()
    const { overwritten: _none, ...set } = await desk.person.call(updateStrategyNotify, {
      id: made.id,
      channels: ['push'],
      important: true,
    })
    expect(set).toEqual({
      strategy_id: made.id,
      enabled: true,
      channels: ['push'],
      actions: 'all',
      important: true,
    })
    const { overwritten: _nor, ...again } = await desk.person.call(updateStrategyNotify, {
      id: made.id,
      enabled: false,
      channels: null,
    })
    expect(again).toEqual({
      strategy_id: made.id,
      enabled: false,
      channels: null,
      actions: 'all',
      important: true,
    })
    expect((await desk.person.call(getStrategy, { id: made.id })).my_notify).toEqual(again)
    const told = await desk.server.app.db
      .selectFrom('events')
      .select('data')
      .where('kind', '=', 'setting')
      .execute()
    expect(told.length).toBeGreaterThanOrEqual(2)
  })
})
