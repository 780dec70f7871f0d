// PostgreSQL out of reach (F4) and commits whose answer is lost (F5): nobody waits for ever, nobody hears 2xx for what may not be, and it comes back by itself.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { getProfile, updateName } from '#contract/profile.ts'
import { type Desk, openDesk, type Send, senderTo } from '#tests/support/desk.ts'
import { onPostgres } from '#tests/support/engines.ts'
import { send as call } from '#tests/support/people.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { PATIENT, startServer, type TestServer } from '#tests/support/server.ts'
import { type Network, startProxy } from './proxy.ts'

/** Far more than the 2.5 s that are promised, far less than for ever: this is no measurement. */
const NOT_FOR_EVER_MS = 30_000

describe.runIf(onPostgres())('between server and PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let proxy: Network
  /** Beside the network, and patient: what is there before, and what is looked at afterwards, is not what is measured here. */
  let desk: Desk
  let server: TestServer
  let send: Send
  let records: () => ReturnType<Desk['records']>
  beforeEach(async () => {
    database = await createDatabase()
    proxy = await startProxy(database.url)
    desk = await openDesk({ env: { DATABASE_URL: database.url, ...PATIENT } })
    const made = await desk.strategy()
    const { url, data_dir } = desk.server
    server = await startServer({ data_dir, env: { DATABASE_URL: proxy.url, PUBLIC_URL: url } })
    send = senderTo(server, made.webhook)
    records = () => desk.records(made.strategy)
  })
  afterEach(async () => {
    await proxy.restore()
    await server.close()
    await desk.server.close()
    await proxy.close()
    await database.drop()
  })

  const message = (id: string) =>
    JSON.stringify({ id, symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000, timenow: desk.at() })
  const inTime = <T>(work: Promise<T>): Promise<T | 'for ever'> => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'for ever'>((resolve) => {
      timer = setTimeout(resolve, NOT_FOR_EVER_MS, 'for ever')
    })
    return Promise.race([work, late]).finally(() => clearTimeout(timer))
  }
  /** Calls until a COMMIT lost its answer: what the product's patience refuses before that, on a busy machine, is called again. */
  const cutIn = async (one: () => Promise<Pick<Response, 'status'>>) => {
    let happened = false
    void proxy.cutAfterCommit().then(() => {
      happened = true
    })
    const statuses = new Set<number | 'for ever'>()
    do statuses.add(await inTime(one().then(({ status }) => status)))
    while (!happened && !statuses.has(200) && !statuses.has('for ever'))
    return { happened, statuses }
  }
  const LOST = { happened: true, statuses: new Set([503]) }
  const profile = () =>
    call(server, getProfile, {}, { authorization: `Bearer ${desk.person.token}` }).then(
      (answer) => answer.status,
    )

  test('cut: 503 with Retry-After at once, and all is well after it is back', async () => {
    // the product's own patience holds here: a database of a busy machine may need more than one try
    await expect.poll(async () => (await send(message('before'))).status).toBe(200)
    await proxy.cut()
    const refused = await inTime(send(message('during')))
    expect(refused).toMatchObject({ status: 503 })
    expect(refused !== 'for ever' && refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await inTime(profile())).toBe(503)
    await proxy.restore()
    await expect.poll(async () => (await send(message('during'))).status).toBe(200)
    await expect.poll(profile).toBe(200)
    expect((await records()).map((record) => record.external_id)).toEqual(['during', 'before'])
  })

  test('silent: nobody hangs, however many ask; and all is well after it is back', async () => {
    // Several connections, so that one that is given up has others beside it.
    await Promise.all(Array.from({ length: 8 }, profile))
    proxy.silence()
    const answers = await Promise.all([
      ...Array.from({ length: 12 }, async (_none, i) => {
        await new Promise((next) => setTimeout(next, i * 100))
        return inTime(send(message(`s${i}`)).then((reply) => reply.status))
      }),
      ...Array.from({ length: 12 }, () => inTime(profile())),
    ])
    expect(new Set(answers)).toEqual(new Set([503]))
    await proxy.restore()
    await expect.poll(async () => (await send(message('s0'))).status).toBe(200)
    await expect.poll(profile).toBe(200)
    expect((await records()).filter((record) => record.external_id === 's0')).toHaveLength(1)
  })

  test('silent and known to be: the next are told at once, nobody knocks in vain', async () => {
    await profile()
    proxy.silence()
    expect(await inTime(profile())).toBe(503)
    const before = proxy.opened()
    const answers = await Promise.all(Array.from({ length: 30 }, () => inTime(profile())))
    expect(new Set(answers)).toEqual(new Set([503]))
    // One looks now and then whether it is back; it is not each of them who tries.
    expect(proxy.opened() - before).toBeLessThan(8)
  })

  test('a commit whose answer is lost: never 2xx; sent again it is one signal', async () => {
    for (let i = 0; i < 5; i++) {
      const body = message(`c${i}`)
      expect(await cutIn(() => send(body))).toEqual(LOST)
      await expect.poll(async () => (await send(body)).status).toBe(200)
    }
    const ids = (await records()).map((record) => record.external_id)
    expect(ids.toSorted()).toEqual(['c0', 'c1', 'c2', 'c3', 'c4'])
    expect((await records())[0]?.chain_seq).toBe(5)
  })

  test('the same for a keyed call: never 2xx; again it is one change', async () => {
    const headers = { authorization: `Bearer ${desk.person.token}`, 'idempotency-key': randomUUID() }
    const rename = () => call(server, updateName, { name: '只改一次' }, headers)
    const events = () =>
      desk.server.app.db.selectFrom('events').select('seq').where('kind', '=', 'profile').execute()
    const before = (await events()).length
    expect(await cutIn(rename)).toEqual(LOST)
    await expect.poll(async () => (await rename()).status).toBe(200)
    expect((await events()).length - before).toBe(1)
  })

  test('a restart of the database: what runs is refused, what comes after is stored', async () => {
    const statuses: number[] = []
    let over = false
    const sending = Promise.all(
      Array.from({ length: 8 }, async (_none, i) => {
        for (let n = 0; !over; n++) {
          const body = message(`r${i}-${n}`)
          let { status } = await send(body)
          statuses.push(status)
          while (status === 503) {
            await new Promise((next) => setTimeout(next, 50))
            status = (await send(body)).status
          }
        }
        return i
      }),
    )
    const more = (wanted: number) => {
      const count = () => statuses.filter((status) => status === wanted).length
      const before = count()
      return expect.poll(count).toBeGreaterThan(before)
    }
    for (let i = 0; i < 3; i++) {
      await more(200)
      await proxy.cut()
      await more(503)
      await proxy.restore()
    }
    await more(200)
    over = true
    await sending
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    const stored = await desk.server.app.db
      .selectFrom('signals')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(stored.count).toBe(statuses.length)
  })
})
