// Deleted for good: at once nobody sees anything of it, and what is left goes some rows at a time, whoever stops in between.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { getDashboard } from '#contract/dashboard.ts'
import { createGroup, setGroupStrategies } from '#contract/group.ts'
import { acceptInvite, createInvites, getInvite } from '#contract/join.ts'
import { listNotifications } from '#contract/notification.ts'
import { deleteOrganization, getOrganization, listMyOrganizations } from '#contract/organization.ts'
import { exportAccount } from '#contract/profile.ts'
import { getSignal, listStrategySignals, signalFeed } from '#contract/signal.ts'
import {
  createStrategy,
  deleteStrategy,
  getStrategy,
  listStrategies,
  type Strategy,
  uploadNoteImage,
} from '#contract/strategy.ts'
import { listDeliveries } from '#contract/webhook.ts'
import { lockOrganization } from '#server/access/organization.ts'
import type { App } from '#server/context.ts'
import { inTransaction } from '#server/events/append.ts'
import { kindsOf } from '#server/job-kinds.ts'
import { Jobs } from '#server/jobs/jobs.ts'
import { ofScope } from '#server/record/erase.ts'
import { appendByTurns } from '../support/append.ts'
import { type Desk, hookPath, openDesk, refused } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { mostRows } from '../support/most-rows.ts'
import { type Office, openOffice } from '../support/office.ts'
import { send, signUp } from '../support/people.ts'
import { openStream } from '../support/stream.ts'

/** Five parts of it. */
const RECORDS = 1_000

/** Another process, which does what the first leaves alone. */
const another = (app: App) =>
  new Jobs(
    () => app,
    () => kindsOf(app),
  )

/** Nothing is erased until the returned function is called, as if the server had stopped right after the answer. */
function holdBack(app: App): () => Promise<void> {
  app.jobs.held.add('erase')
  return async () => {
    const next = another(app)
    await next.start()
    await expect
      .poll(() => app.db.selectFrom('jobs').selectAll().where('kind', '=', 'erase').execute())
      .toEqual([])
    await next.stop()
    app.jobs.held.clear()
  }
}

describeEngines('what was deleted for good', (engine) => {
  describe('a strategy with its records', () => {
    let desk: Desk
    beforeAll(async () => {
      desk = await openDesk({ engine })
    })
    afterAll(() => desk.server.close())
    const left = async (of: Strategy) => {
      const { db } = desk.server.app
      const signals = await db
        .selectFrom('signals')
        .select('chain_seq')
        .where('strategy_id', '=', of.id)
        .execute()
      const row = await db.selectFrom('strategies').select('id').where('id', '=', of.id).execute()
      return { signals: signals.map(({ chain_seq }) => chain_seq), row: row.length }
    }
    const remove = (of: Strategy) =>
      desk.person.call(deleteStrategy, { id: of.id, name: of.name, keep_records: false })

    test('is seen by nobody from the answer on, though every record is still there', async () => {
      const { person, server } = desk
      const { db } = server.app
      const made = await desk.make()
      const path = hookPath(made)
      const cursor = (await openStream(server, person.token)).cursor()
      for (const [i, action] of ['long_entry', 'long_exit'].entries())
        await desk.hook(made, { symbol: 'TXF1!', action, quantity: 1, price: 23_000 + i })
      await server.app.notifier.catchUp()
      const [signal] = await desk.records(made)
      const inbox = async () => (await person.call(listNotifications, {})).items.map((one) => one.strategy_id)
      expect(await inbox()).toContain(made.id)
      const goOn = holdBack(server.app)
      await remove(made)
      expect(await left(made)).toEqual({ signals: [1, 2], row: 1 })

      const [webhook] = made.webhooks ?? []
      const asks = [
        () => person.call(getStrategy, { id: made.id }),
        () => person.call(listStrategySignals, { id: made.id }),
        () => person.call(getSignal, { id: signal?.id as string }),
        () => person.call(listDeliveries, { id: webhook?.id as string }),
      ]
      for (const ask of asks) expect((await refused(ask())).code).toBe(4040)
      const seen = [
        await person.call(listStrategies, { page_size: 100 }),
        await person.call(signalFeed, { limit: 1_000 }),
        await person.call(getDashboard, {}),
        await (await send(server, exportAccount, {}, { authorization: `Bearer ${person.token}` })).text(),
        await inbox(),
        // What names it nowhere but by its name is gone, too.
        await db.selectFrom('strategies').select(['name', 'note']).where('id', '=', made.id).execute(),
      ]
      for (const one of seen) expect(JSON.stringify(one)).not.toMatch(new RegExp(`${made.id}|${made.name}`))
      expect((await server.request(path, { method: 'POST', body: '{"action":"buy"}' })).status).toBe(404)
      // Whoever comes back from before hears no record of it, only that it is gone.
      const back = await openStream(server, person.token, cursor)
      await expect.poll(() => back.events.length).toBeGreaterThan(0)
      await back.close()
      expect(JSON.stringify(back.events.filter(({ kind }) => kind !== 'strategy'))).not.toContain(made.id)
      // Its name is free at once.
      expect((await desk.make({ name: made.name })).name).toBe(made.name)
      await goOn()
      expect(await left(made)).toEqual({ signals: [], row: 0 })
    })

    test('goes some rows at a time, and signals of others pass in between', async () => {
      const { app } = desk.server
      const [made, other] = [await desk.make({ settings: { product_code: 'MXF' } }), await desk.make()]
      await appendByTurns(app, made.id, RECORDS, 100)
      const most = mostRows(app)
      const pieces: number[] = []
      const { background } = app
      const piece = background.piece.bind(background)
      const spy = vi.spyOn(background, 'piece').mockImplementation(async (account, work, kind) => {
        const told = await piece(account, work, kind)
        if (kind === 'erase') pieces.push((await left(made)).signals.length)
        if (kind === 'erase' && pieces.length === 2)
          await desk.hook(other, { symbol: 'TXF1!', action: 'long_entry', quantity: 1, price: 23_000 })
        return told
      })
      await remove(made)
      await app.jobs.settled('erase')
      spy.mockRestore()
      // 200 events, the signals behind them, and their going: never all.
      expect(most.inTransactions()).toBeLessThan(650)
      most.end()
      expect(new Set(pieces)).toEqual(new Set([RECORDS, 800, 600, 400, 200, 0]))
      expect(await left(made)).toEqual({ signals: [], row: 0 })
      expect(await desk.records(other)).toHaveLength(1)
    })

    test('stopped in the middle: what is left is a chain without its beginning, and the next start does the rest', async () => {
      const { app } = desk.server
      const made = await desk.make({ settings: { product_code: 'MXF' } })
      await appendByTurns(app, made.id, RECORDS, 100)
      const goOn = holdBack(app)
      await remove(made)
      const first = another(app)
      const { background } = app
      const piece = background.piece.bind(background)
      const spy = vi.spyOn(background, 'piece').mockImplementation(async (account, work, kind) => {
        const told = await piece(account, work, kind)
        if (kind === 'erase' && (await left(made)).signals.length < RECORDS) void first.stop()
        return told
      })
      await first.settled('erase')
      await first.stop()
      spy.mockRestore()
      const { signals } = await left(made)
      expect(signals.length).toBeGreaterThan(0)
      expect(signals.length).toBeLessThan(RECORDS)
      expect(signals.toSorted((a, b) => a - b)[0]).toBe(RECORDS - signals.length + 1)
      await goOn()
      expect(await left(made)).toEqual({ signals: [], row: 0 })
    })
  })

  describe('an organization', () => {
    let office: Office
    beforeAll(async () => {
      office = await openOffice(engine)
    })
    afterAll(() => office.server.close())

    test('is nobody’s from the answer on; its people hear it once, its rows go after it', async () => {
      const { admin, inside, organization, server } = office
      const { db } = server.app
      const { id } = organization
      const given = await office.strategy('甲策略')
      const image = await inside(admin, uploadNoteImage, { image: await onePixel() })
      const noted = await inside(admin, createStrategy, {
        ...{ kind: 'futures', name: '有圖', note: `![圖](${image.url})` },
        settings: { product_code: 'TXF' },
      })
      const group = await inside(admin, createGroup, { name: '甲群' })
      await inside(admin, setGroupStrategies, {
        id: group.id,
        strategies: [{ strategy_id: given.id }, { strategy_id: noted.id }],
      })
      const member = await office.join('成員', { group_ids: [group.id] })
      const guest = await signUp(server, '受邀的人')
      await inside(admin, createInvites, { id, emails: [guest.email] })
      const code = await office.code(guest.email)
      const picture = (who: { token: string }) =>
        server.request(image.url, { headers: { authorization: `Bearer ${who.token}`, 'lb-org-id': id } })
      expect((await picture(member)).status).toBe(200)

      const goOn = holdBack(server.app)
      const most = mostRows(server.app)
      await inside(admin, deleteOrganization, { id, name: organization.name })
      expect(most.inTransactions()).toBeLessThan(60)
      most.end()
      expect(
        await db.selectFrom('access_changes').select('id').where('organization_id', '=', id).execute(),
      ).not.toEqual([])
      for (const who of [admin, member]) {
        expect(await who.call(listMyOrganizations, {})).toEqual([])
        expect((await refused(who.call(getOrganization, { id }))).code).toBe(4040)
        expect((await refused(inside(who, listStrategies, {}))).code).toBe(4031)
        expect((await picture(who)).status).toBe(403)
        expect(await office.told(`p:${who.uid}`, 'context-revoked')).toEqual([
          // whoever did it knows its name
          { organization_id: id, reason: 'dissolved', ...(who !== admin && { name: '浪花訊號社' }) },
        ])
      }
      for (const ask of [() => guest.call(getInvite, { code }), () => guest.call(acceptInvite, { code })])
        expect((await refused(ask())).code).toBe(4040)
      // Who waited for its row while it was dissolved finds none.
      const locked = inTransaction(server.app, (tx) => lockOrganization(server.app, tx, id))
      expect((await refused(locked)).code).toBe(4040)
      const row = await db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst()
      expect(JSON.stringify(row)).not.toContain(organization.name)
      await goOn()
      for (const table of ['organizations', 'access_changes', 'strategy_groups'] as const) {
        const which = table === 'organizations' ? 'id' : 'organization_id'
        expect(
          await db
            .selectFrom(table)
            .selectAll()
            .where(which as never, '=', id as never)
            .execute(),
        ).toEqual([])
      }
      const strategies = await db
        .selectFrom('strategies')
        .select(['id', 'name'])
        .where('scope', '=', `o:${id}`)
        .execute()
      expect(strategies.map(({ name }) => name)).toEqual(['', ''])
      expect(await db.selectFrom('note_images').selectAll().execute()).toEqual([])
      // Erasing once more finds nothing, and harms nothing.
      for await (const part of ofScope(db, `o:${id}`)) expect(await part(db)).toBeNull()
    })
  })
})

async function onePixel(): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import('sharp')
  const drawn = sharp({ create: { width: 9, height: 9, channels: 3, background: '#2d69de' } })
  return new Uint8Array(await drawn.png().toBuffer())
}
