// Formats of webhooks, over HTTP on both databases: what nobody has confirmed is held and asked about, a confirmation takes what waits,
// and the feed of a webhook from before there were formats does not stop (docs/decisions/reader.md).
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getDashboard } from '#contract/dashboard.ts'
import { ApiError } from '#contract/errors.ts'
import { FORMATS_WAITING_MOST, HELD_MOST } from '#contract/limits.ts'
import {
  getNotificationSetting,
  listNotifications,
  updateNotificationSetting,
} from '#contract/notification.ts'
import { getStrategy, type Strategy } from '#contract/strategy.ts'
import { listStrategyWebhooks, replayDelivery, updateWebhook, type Webhook } from '#contract/webhook.ts'
import {
  confirmFormat,
  deleteFormat,
  learnMapping,
  listFormats,
  previewMapping,
  updateFormat,
  type WebhookFormat,
} from '#contract/webhook-format.ts'
import type { App } from '#server/context.ts'
import { tidy } from '#server/housekeeping.ts'
import { kindsOf } from '#server/job-kinds.ts'
import { Jobs } from '#server/jobs/jobs.ts'
import { enqueue } from '#server/jobs/table.ts'
import { askLater } from '#server/notify/alarm-news.ts'
import { type Desk, openDesk, refused, type Send } from '../support/desk.ts'
import { describeEngines } from '../support/engines.ts'
import { openStream } from '../support/stream.ts'

const MINUTE = 60_000
/** Messages without a time of their own. */
const FLAGGED = ['no_source_time', 'unconfirmed_format']
const UNFLAGGED = expect.not.arrayContaining(['unconfirmed_format'])
const LINE = '小台 多單進場 2口 46500'
const line = (action: string, size: number, price: number) => `小台 ${action} ${size}口 ${price}`
const own = (action: string, more: object = {}) =>
  JSON.stringify({ symbol: 'MXF1!', side: action, lots: 1, px: 46_500, ...more })

describeEngines('formats of webhooks', (engine) => {
  let desk: Desk
  let now = Date.parse('2026-11-20T01:15:00.000Z')
  beforeAll(async () => {
    desk = await openDesk({ engine })
    desk.setClock(now)
    await desk.person.call(updateNotificationSetting, { 'channels.email': true, 'kinds.alarm.email': true })
  })
  afterAll(() => desk.server.close())
  /** Time goes on by so many minutes. */
  const later = (minutes: number) => {
    now += minutes * MINUTE
    desk.setClock(now)
  }

  interface Ground {
    strategy: Strategy
    webhook: Webhook
    send: Send
    formats(): Promise<WebhookFormat[]>
    waiting(): Promise<WebhookFormat>
    confirm(more?: object): Promise<string[]>
    shown(): Promise<Webhook>
    asked(): Promise<string[]>
  }
  const open = async (over: Record<string, unknown> = {}): Promise<Ground> => {
    const { strategy, webhook, send } = await desk.strategy(over)
    const { person, server } = desk
    const formats = async () => (await person.call(listFormats, { id: webhook.id })).items
    const waiting = async () => (await formats()).find(({ state }) => state === 'waiting') as WebhookFormat
    return {
      ...{ strategy, webhook, send, formats, waiting },
      confirm: async (more = {}) => {
        const { id: format_id } = await waiting()
        const input = { id: webhook.id, format_id, waiting: 'take' as const, ...more }
        return (await person.call(confirmFormat, input)).signal_ids
      },
      shown: async () => (await person.call(listStrategyWebhooks, { id: strategy.id }))[0] as Webhook,
      asked: async () => {
        await server.app.notifier.catchUp()
        const { items } = await person.call(listNotifications, {})
        return items
          .filter((one) => one.strategy_id === strategy.id && one.title.startsWith('新格式的訊息'))
          .map(({ title }) => title)
          .toReversed()
      },
    }
  }
  /** In the order they came. */
  const records = async ({ strategy }: Ground) => (await desk.records(strategy)).toReversed()
  const deliveries = async ({ webhook }: Ground) => (await desk.deliveries(webhook)).toReversed()

  test('what nobody has confirmed is held: 202, in the list with what it would be, counted and heard, and no record', async () => {
    const on = await open()
    const { status, answer } = await on.send(LINE)
    const { id } = await on.waiting()
    expect(status).toBe(202)
    expect(answer).toMatchObject({
      ...{ status: 'held', outcome: 'held', reason_code: 'unconfirmed_format', format_id: id },
      ...{ signal_id: null, flags: [] },
    })
    await on.send(line('多單進場', 1, 46_510))
    expect(await on.formats()).toMatchObject([
      {
        ...{ id, state: 'waiting', waiting_count: 2, sample_delivery_id: answer.delivery_id },
        ...{ reason: null, questions: [], extends: null },
        fields: [
          { path: '#1', role: 'symbol', value: '小台' },
          { path: '#2', role: 'action', value: '多單進場' },
          { path: '#3', value: '2' },
          { path: '#4', role: 'price', value: '46500' },
        ],
        proposal: {
          ...{ action: 'long_entry', symbol: 'MXF', contract: 'C1', quantity: 2, unit: 'lot' },
          ...{ price: 46_500, target_position: null, position_after: 2 },
        },
      },
    ])
    expect(await records(on)).toEqual([])
    expect(await deliveries(on)).toMatchObject([
      { outcome: 'held', http_status: 202, format_id: id, body: LINE, signal_id: null },
      { outcome: 'held', format_id: id },
    ])
    expect(await on.shown()).toMatchObject({
      counts: { held: 2, rejected: 0, accepted: 0 },
      counts_24h: { held: 2 },
      last_heard_at: new Date(now).toISOString(),
    })
    expect(await desk.deliveries(on.webhook)).toHaveLength(2)
    const strategy = await desk.person.call(getStrategy, { id: on.strategy.id })
    expect(strategy).toMatchObject({ warnings: ['held'], held_format_id: id })
    const { todos } = await desk.person.call(getDashboard, {})
    expect(todos).toContainEqual({
      kind: 'held',
      count: 1,
      link: `/strategies/${on.strategy.id}?tab=settings&format=${id}`,
    })
  })

  test('a closed door, a wrong address and a wrong secret refuse before anything is held', async () => {
    const on = await open()
    await desk.person.call(updateWebhook, { id: on.webhook.id, body_secret: 'a-secret-word' })
    expect((await on.send(own('buy'))).answer).toMatchObject({
      status: 'rejected',
      reason_code: 'bad_secret',
    })
    expect((await on.send(own('buy', { secret: 'a-secret-word' }))).status).toBe(202)
    await desk.person.call(updateWebhook, { id: on.webhook.id, ip_allow: ['203.0.113.9'] })
    expect((await on.send(own('buy'))).answer.reason_code).toBe('ip_not_allowed')
    const [, held] = await deliveries(on)
    expect(held?.body).not.toContain('a-secret-word')
    expect(await on.formats()).toMatchObject([{ waiting_count: 1 }])
  })

  test('people are asked by what it would be, once in ten minutes; what came in between is asked about then', async () => {
    const on = await open()
    await on.send(LINE)
    await on.send(line('多單進場', 1, 46_510))
    expect(await on.asked()).toEqual(['新格式的訊息：多單進場 小台近月 2 口 46,500？'])
    const [notice] = (await desk.person.call(listNotifications, {})).items
    const { id } = await on.waiting()
    expect(notice).toMatchObject({
      kind: 'alarm',
      link: expect.stringContaining(`tab=settings&format=${id}`),
    })
    later(9)
    await on.send(own('buy'))
    expect(await askLater(desk.server.app)).toBe(0)
    expect(await on.asked()).toHaveLength(1)
    later(2)
    expect(await askLater(desk.server.app)).toBe(1)
    expect(await askLater(desk.server.app)).toBe(0)
    expect((await on.asked()).at(-1)).toBe('新格式的訊息：買進 小台近月 1 口 46,500？')
    later(11)
    await on.send(LINE)
    expect(await on.asked()).toHaveLength(3)
  })

  test('without a proposal the alarm says only that it waits; shortened it says nothing; one that is confirmed meanwhile is not sent', async () => {
    const on = await open()
    await on.send(JSON.stringify({ product: 'MXF1!', act: 'go', n: 1 }))
    expect(await on.asked()).toEqual(['新格式的訊息，等你確認'])
    expect(await on.waiting()).toMatchObject({ proposal: null, reason: expect.stringContaining('動作') })
    const other = await open()
    const setting = await desk.person.call(getNotificationSetting, {})
    await desk.person.call(updateNotificationSetting, { 'privacy.email': 'new_only' })
    await other.send(LINE)
    await other.asked()
    later(5)
    await other.asked()
    const letters = (await desk.server.mails()).filter(({ text }) => text.includes(other.strategy.id))
    expect(letters.at(-1)?.subject).not.toContain('46,500')
    await desk.person.call(updateNotificationSetting, { 'privacy.email': setting.privacy.email })
    const third = await open()
    await third.send(LINE)
    await third.confirm()
    expect(await third.asked()).toEqual([])
  })

  test('the owner’s screens hear of it', async () => {
    const on = await open()
    const stream = await openStream(desk.server, desk.person.token)
    await on.send(LINE)
    const { id } = await on.waiting()
    await on.confirm()
    const events = await stream.until(5)
    await stream.close()
    const of = { id, webhook_id: on.webhook.id, strategy_id: on.strategy.id }
    expect(events.filter(({ kind }) => kind === 'format').map(({ data }) => data)).toEqual([
      { ...of, change: 'asked' },
      { ...of, change: 'confirmed' },
    ])
    expect(events.filter(({ kind }) => kind === 'delivery').map(({ data }) => data)).toMatchObject([
      { outcome: 'held', format_id: id },
      { outcome: 'accepted', format_id: id },
    ])
  })

  test('confirmed: what waits becomes signals of when it came, copies are none, and the next one is taken at once', async () => {
    const on = await open()
    const sent = { id: 'a1', timenow: new Date(now).toISOString() }
    const { answer: first } = await on.send(own('buy', sent))
    later(1)
    const { answer: again } = await on.send(own('buy', sent))
    later(1)
    const ids = await on.confirm()
    const [record] = await records(on)
    expect(ids).toEqual([record?.id])
    expect(record).toMatchObject({
      ...{ action: 'buy', quantity: 1, price: 46_500, delivery_id: first.delivery_id, quiet: false },
      received_at: new Date(now - 2 * MINUTE).toISOString(),
    })
    const { id } = (await on.formats())[0] as WebhookFormat
    expect(await deliveries(on)).toMatchObject([
      { outcome: 'accepted', http_status: 200, signal_id: record?.id, format_id: id },
      { id: again.delivery_id, outcome: 'duplicate', duplicate_of: first.delivery_id },
    ])
    expect((await on.shown()).counts).toMatchObject({ accepted: 1, duplicate: 1, held: 0 })
    const { status, answer } = await on.send(own('buy', { ...sent, id: 'a2', lots: 3 }))
    expect([status, answer.status, answer.format_id]).toEqual([200, 'accepted', id])
    expect(await on.formats()).toMatchObject([
      { state: 'confirmed', name: '你的格式 1', waiting_count: 0, proposal: { action: 'buy', quantity: 1 } },
    ])
  })

  test('older than the strategy takes it: recorded, and told to nobody', async () => {
    const on = await open({ late_after_s: 60 })
    await on.send(own('buy', { px: 46_400 }))
    later(2)
    await on.send(own('buy', { px: 46_410 }))
    await on.confirm()
    expect(await records(on)).toMatchObject([
      { price: 46_400, quiet: true },
      { price: 46_410, quiet: false },
    ])
  })

  test('skipped: none becomes a signal, the format holds; a skipped one can be read again by hand', async () => {
    const on = await open()
    const { answer } = await on.send(LINE)
    expect(await on.confirm({ waiting: 'skip' })).toEqual([])
    expect(await records(on)).toEqual([])
    expect(await deliveries(on)).toMatchObject([
      { outcome: 'ignored', reason_code: 'unconfirmed_format', reason: '確認格式時選擇略過這一則' },
    ])
    expect((await on.shown()).counts).toMatchObject({ held: 0, ignored: 1 })
    expect((await on.send(line('多單進場', 1, 46_510))).status).toBe(200)
    const id = answer.delivery_id as string
    await desk.person.call(replayDelivery, { id: on.webhook.id, delivery_id: id })
    expect(await records(on)).toHaveLength(2)
  })

  test('what one message cannot say is asked, each answer with what it would be, and once a webhook', async () => {
    const on = await open()
    const body = (more: object) =>
      JSON.stringify({ symbol: 'MXF1!', action: 'short', contracts: 4, price: 46_500, ...more })
    await on.send(body({}))
    const format = await on.waiting()
    expect(format.questions).toMatchObject([
      {
        id: 'contracts_mean',
        options: [
          { value: 'order', proposal: { action: 'sell', quantity: 4, position_after: -4 } },
          { value: 'position', proposal: { action: 'target', target_position: -4, position_after: -4 } },
        ],
      },
    ])
    const error = await refused(on.confirm())
    expect(error).toBeInstanceOf(ApiError)
    expect([error.code, Object.keys(error.details.fields ?? {})]).toEqual([4220, ['answers.contracts_mean']])
    await on.confirm({ answers: { contracts_mean: 'position' } })
    expect(await records(on)).toMatchObject([{ action: 'target', target_position: -4 }])
    // Another shape with the same question: it was answered.
    await on.send(body({ extra: 'x' }))
    expect(await on.waiting()).toMatchObject({ questions: [], proposal: { target_position: -4 } })
  })

  test('a new word is asked for, and joins the format that lacked it', async () => {
    const on = await open()
    await on.send(own('buy'))
    await on.confirm()
    later(1)
    const { answer } = await on.send(own('scale_out'))
    expect(answer.reason).toContain('scale_out')
    const [waiting, confirmed] = await on.formats()
    expect(waiting).toMatchObject({
      state: 'waiting',
      extends: confirmed?.id,
      proposal: { position_after: 0 },
    })
    const [signal] = await on.confirm()
    expect(signal).toBe((await records(on)).at(-1)?.id)
    expect(await on.formats()).toMatchObject([{ id: confirmed?.id, state: 'confirmed', name: '你的格式 1' }])
    const { format_id } = (await on.send(own('buy', { px: 46_510 }))).answer
    expect(format_id).toBe(confirmed?.id)
    // Whoever confirms it again finds it done.
    const again = { id: on.webhook.id, format_id: waiting?.id as string, waiting: 'take' as const }
    expect(await desk.person.call(confirmFormat, again)).toEqual({ signal_ids: [signal] })
  })

  test('two who confirm at once make one signal of each message, and are told the same', async () => {
    const on = await open()
    for (let i = 0; i < 5; i++) await on.send(own('buy', { px: 46_500 + i }))
    const { id: format_id } = await on.waiting()
    const input = { id: on.webhook.id, format_id, waiting: 'take' as const }
    const [one, two] = await Promise.all([
      desk.person.call(confirmFormat, input),
      desk.person.call(confirmFormat, input),
    ])
    expect(two).toEqual(one)
    expect(one?.signal_ids).toEqual((await records(on)).map(({ id }) => id))
    expect(one?.signal_ids).toHaveLength(5)
  })

  test('what comes while a format is confirmed is taken with it, or by it', async () => {
    const on = await open()
    for (let i = 0; i < 200; i += 50)
      await Promise.all(Array.from({ length: 50 }, (_, k) => on.send(own('buy', { px: 46_000 + i + k }))))
    const confirming = on.confirm()
    const sent = []
    for (let i = 0; i < 20; i++) {
      sent.push(on.send(own('buy', { px: 47_000 + i })))
      await new Promise((next) => setTimeout(next, 10))
    }
    await Promise.all([confirming, ...sent])
    expect((await on.formats()).map(({ state }) => state)).toEqual(['confirmed'])
    expect((await on.shown()).counts).toMatchObject({ accepted: 220, held: 0 })
  })

  test('what cannot be said by itself is mapped, and confirmed so; what is still none is refused with why', async () => {
    const on = await open()
    const body = { product: 'MXF1!', act: 'go', n: 2, at_price: 46_500 }
    await on.send(JSON.stringify(body))
    const error = await refused(on.confirm())
    expect([error.code, Object.keys(error.details.fields ?? {})]).toEqual([4220, ['mapping']])
    const mapping = {
      fields: { symbol: 'product', action: 'act', quantity: 'n', price: 'at_price' },
      words: { go: 'long_entry' },
    }
    expect(await on.confirm({ mapping })).toHaveLength(1)
    expect(await records(on)).toMatchObject([{ action: 'long_entry', quantity: 2, price: 46_500 }])
    expect((await on.send(JSON.stringify({ ...body, n: 1 }))).status).toBe(200)
    // The next shape begins with what was said of this one.
    await on.send(JSON.stringify({ ...body, memo: '早盤' }))
    expect(await on.waiting()).toMatchObject({ proposal: { action: 'long_entry', quantity: 2 } })
  })

  test('a confirmed one is named, read otherwise, and deleted; ours are listed once used and changed by nobody', async () => {
    const on = await open()
    await on.send(own('buy', { tag: 7 }))
    await on.confirm()
    const [{ id: format_id }] = (await on.formats()) as [WebhookFormat]
    const of = { id: on.webhook.id, format_id }
    expect(await desk.person.call(updateFormat, { ...of, name: '我的機器人' })).toMatchObject({
      name: '我的機器人',
    })
    const mapping = { fields: { price: 'tag' } }
    const changed = await desk.person.call(updateFormat, { ...of, mapping })
    expect(changed.fields.find(({ path }) => path === 'tag')).toMatchObject({ role: 'price' })
    expect((await on.send(own('buy', { tag: 46_700 }))).answer.status).toBe('accepted')
    expect((await records(on)).at(-1)).toMatchObject({ price: 46_700 })
    const ours = JSON.stringify({ symbol: 'MXF1!', action: 'buy', quantity: 1, price: 46_500 })
    expect((await on.send(ours)).answer.format_id).toBe('builtin:lingbo')
    expect(await on.formats()).toMatchObject([
      { id: format_id },
      { id: 'builtin:lingbo', state: 'confirmed', name: '訊息範本', waiting_count: 0 },
    ])
    const not = await refused(
      desk.person.call(deleteFormat, { id: on.webhook.id, format_id: 'builtin:lingbo' }),
    )
    expect(not.code).toBe(4220)
    await desk.person.call(deleteFormat, of)
    expect((await on.send(own('buy', { tag: 46_800 }))).status).toBe(202)
    // Not that kind of message: it waits no more.
    await desk.person.call(deleteFormat, { id: on.webhook.id, format_id: (await on.waiting()).id })
    expect((await deliveries(on)).at(-1)).toMatchObject({ outcome: 'ignored', format_id: null })
    expect((await on.formats()).map(({ id }) => id)).toEqual(['builtin:lingbo'])
  })

  test(`of more than ${HELD_MOST} that wait the oldest are refused, and of more than ${FORMATS_WAITING_MOST} formats the oldest go`, async () => {
    const on = await open()
    const { db } = desk.server.app
    await on.send(LINE)
    const [row] = await db
      .selectFrom('deliveries')
      .selectAll()
      .where('webhook_id', '=', on.webhook.id)
      .execute()
    const more = Array.from({ length: HELD_MOST - 1 }, (_, i) => ({
      ...(row as NonNullable<typeof row>),
      id: `${row?.id.slice(0, 24)}${String(i).padStart(12, 'f')}`,
    }))
    for (let i = 0; i < more.length; i += 200)
      await db
        .insertInto('messages')
        .values(more.slice(i, i + 200))
        .execute()
    await on.send(line('多單進場', 1, 46_510))
    await on.send(line('多單進場', 1, 46_520))
    expect(await on.waiting()).toMatchObject({ waiting_count: HELD_MOST })
    const [first] = await db
      .selectFrom('deliveries')
      .select(['outcome', 'http_status', 'reason', 'format_id'])
      .where('id', '=', row?.id as string)
      .execute()
    expect(first).toMatchObject({ outcome: 'rejected', http_status: 422, format_id: null })
    const other = await open()
    for (let i = 0; i <= FORMATS_WAITING_MOST; i++) await other.send(own('buy', { [`k${i}`]: 1 }))
    const formats = await other.formats()
    expect(formats).toHaveLength(FORMATS_WAITING_MOST)
    expect((await deliveries(other))[0]).toMatchObject({ outcome: 'rejected', format_id: null })
  })

  test('what nobody confirmed is forgotten with its messages', async () => {
    const on = await open()
    await on.send(LINE)
    const { app } = desk.server
    await tidy({ db: app.db, now: () => now + 29 * 86_400_000 })
    expect(await on.formats()).toHaveLength(1)
    await tidy({ db: app.db, now: () => now + 31 * 86_400_000 })
    expect(await on.formats()).toEqual([])
  })

  /** A webhook as the migration leaves one that was there. */
  const before = async () => {
    const on = await open()
    await desk.server.app.db
      .updateTable('webhooks')
      .set({ formats_due: 1, formats_grace_until: new Date(now + 90 * 86_400_000).toISOString() })
      .where('id', '=', on.webhook.id)
      .execute()
    return on
  }

  test('a webhook from before is read the old way for ninety days: taken, flagged, asked about; then held', async () => {
    const on = await before()
    const { db } = desk.server.app
    await db.updateTable('webhooks').set({ formats_due: 0 }).where('id', '=', on.webhook.id).execute()
    const { status, answer } = await on.send(own('buy'))
    expect([status, answer.status, answer.flags]).toEqual([200, 'accepted', FLAGGED])
    expect(await records(on)).toMatchObject([{ action: 'buy', flags: FLAGGED }])
    expect(await on.asked()).toEqual(['新格式的訊息：買進 小台近月 1 口 46,500？'])
    const { format_id: id } = answer
    expect(await on.waiting()).toMatchObject({ id, waiting_count: 0, proposal: { quantity: 1 } })
    expect(await on.confirm()).toEqual([])
    expect((await on.send(own('buy', { px: 46_510 }))).answer.flags).toEqual(['no_source_time'])
    expect(await records(on)).toHaveLength(2)
    // What the old reader refuses is held, too: it may be a signal.
    expect((await on.send(JSON.stringify({ product: 'MXF1!', act: 'go', n: 1 }))).status).toBe(202)
    later(91 * 24 * 60)
    expect((await on.send(own('buy', { memo: '早盤' }))).status).toBe(202)
    // Signed in as then.
    later(-91 * 24 * 60)
  })

  test('what a webhook from before received is looked through once: no message of a known sender is held or asked about', async () => {
    const on = await before()
    const asked = async () => (await on.formats()).filter(({ state }) => state === 'waiting')
    const bodies = (price: number) => [
      own('buy', { px: price }),
      own('sell', { px: price }),
      JSON.stringify({ ticker: 'MXF1!', order: { side: 'short', size: 1 }, price }),
      JSON.stringify({ symbol: 'MXF1!', action: 'buy', quantity: 1, price }),
    ]
    // One message of it does not say whether these are the order, and neither does how it was read.
    const open_question = JSON.stringify({ symbol: 'MXF1!', action: 'short', contracts: 1, price: 46_500 })
    await on.send(open_question)
    for (let i = 0; i < 15; i++)
      for (const body of bodies(46_500 + i))
        expect((await on.send(body)).answer).toMatchObject({ outcome: 'accepted', flags: UNFLAGGED })
    const { app } = desk.server
    // Killed in the middle: nothing of it is kept, and the next one begins anew.
    let pieces = 0
    const piece: App['background']['piece'] = (...given) => {
      if (++pieces > 1) throw new Error('killed')
      return app.background.piece(...given)
    }
    const dying = { ...app, background: { piece } } as unknown as App
    const { key, owner } = { key: on.webhook.id, owner: `p:${desk.person.uid}` }
    app.jobs.held.add('learn-formats')
    await enqueue(app.db, { kind: 'learn-formats', key, owner, data: null })
    const process = (of: App) =>
      new Jobs(
        () => of,
        () => kindsOf(of),
      )
    await process(dying).settled('learn-formats')
    expect(pieces).toBe(2)
    expect((await on.formats()).map(({ id }) => id)).toEqual(['builtin:lingbo'])
    // After its rest.
    later(1)
    const [one, two] = [process(app), process(app)]
    await Promise.all([one.settled('learn-formats'), two.settled('learn-formats')])
    expect(await app.db.selectFrom('jobs').select('key').where('key', '=', key).execute()).toEqual([])
    const formats = await on.formats()
    expect(formats.map(({ id, name }) => [id.startsWith('builtin:'), name])).toEqual([
      [false, '新格式'],
      [false, '你的格式 1'],
      [false, '你的格式 2'],
      [true, '訊息範本'],
    ])
    await enqueue(app.db, { kind: 'learn-formats', key, owner, data: null })
    await one.settled('learn-formats')
    expect(await on.formats()).toEqual(formats)
    const ids = new Set(formats.map(({ id }) => id))
    for (const body of bodies(47_000)) {
      const { answer } = await on.send(body)
      expect(answer).toMatchObject({ outcome: 'accepted', flags: UNFLAGGED })
      expect(ids.has(answer.format_id as string)).toBe(true)
    }
    // What cannot be known is taken as before, and asked about.
    expect((await on.send(open_question)).answer).toMatchObject({
      outcome: 'accepted',
      flags: expect.arrayContaining(['unconfirmed_format']),
    })
    expect(await asked()).toMatchObject([{ questions: [{ id: 'contracts_mean' }], waiting_count: 0 }])
    const [, first] = await records(on)
    const last = (await records(on)).at(-5)
    expect(last).toMatchObject({ action: first?.action, quantity: first?.quantity })
  })

  test('a webhook from before takes nothing that says that nothing is to be done, and nothing without a word that may mean the opposite', async () => {
    const on = await before()
    const denied = [
      own('sell', { px: 46_501, comment: '取消' }),
      own('sell', { px: 46_502, note: 'TEST' }),
      own('sell', { px: 46_503, cancelled: true }),
      own('sell', { px: 46_504, hint: 'paper trading' }),
      '{"symbol":"MXF1!","side":"buy","lots":1,"px":46505,"":{"side":"sell"}}',
      `取消 ${own('sell', { px: 46_506, secret: 'x' })}`,
      '20261120 091500 MXF1! 46507 新買 取消',
      '20261120 091500 MXF1! 46508 新買 TEST',
      own('sell', { px: 46_509, account: { paper: true } }),
    ]
    const opposite = [
      own('sell', { px: 46_510, exit_reason: 'stop_loss' }),
      own('sell', { px: 46_511, execInst: 'ReduceOnly' }),
    ]
    for (const body of denied) expect([body, (await on.send(body)).status]).toEqual([body, 202])
    for (const body of opposite) {
      expect((await on.send(body)).answer).toMatchObject({ outcome: 'accepted', flags: FLAGGED })
      expect((await on.formats())[0]).toMatchObject({ state: 'waiting', proposal: null })
    }
    const { app } = desk.server
    const owner = `p:${desk.person.uid}`
    await enqueue(app.db, { kind: 'learn-formats', key: on.webhook.id, owner, data: null })
    app.jobs.held.delete('learn-formats')
    await app.jobs.settled('learn-formats')
    for (const body of denied) expect([body, (await on.send(body)).status]).toEqual([body, 202])
    for (const body of opposite)
      expect((await on.send(body)).answer).toMatchObject({
        outcome: 'accepted',
        flags: expect.arrayContaining(['unconfirmed_format']),
      })
    // A shape that never came before is held.
    expect((await on.send(own('sell', { exit_reason: 'stop_loss', memo: 'x' }))).status).toBe(202)
  })

  test('a part that could turn the order round: nothing is proposed until a person says that it is not looked at', async () => {
    const on = await open()
    const body = own('sell', { execInst: 'ReduceOnly' })
    await on.send(body)
    expect(await on.asked()).toEqual(['新格式的訊息，等你確認'])
    expect(await on.waiting()).toMatchObject({
      ...{ proposal: null, field: 'execInst' },
      reason: expect.stringContaining('欄位 execInst 寫著「ReduceOnly」，可能會讓意思相反'),
    })
    const try_ = (ignore: string[]) =>
      desk.person.call(previewMapping, {
        ...{ webhook_id: on.webhook.id, format: 'auto', body },
        mapping: { fields: { quantity: 'lots', price: 'px' }, ignore },
      })
    expect((await try_([])).outcome).not.toBe('accepted')
    const said = await try_(['execInst'])
    expect(said).toMatchObject({ outcome: 'accepted', normal: { action: 'sell', quantity: 1 } })
    const mapping = { fields: { quantity: 'lots', price: 'px' }, ignore: ['execInst'] }
    expect(await on.confirm({ mapping })).toHaveLength(1)
  })

  test('a heading above a line is no part of it, and stays in the message', async () => {
    const on = await open()
    const body = '【突破訊號】\n大飛 買進 1口 46500'
    const { body: shown, leaves } = await desk.person.call(learnMapping, { webhook_id: on.webhook.id, body })
    expect(shown).toBe(body)
    expect(leaves.map(({ path, value }) => [path, value])).toEqual([
      ['#1', '大飛'],
      ['#2', '買進'],
      ['#3', '1口'],
      ['#4', '46500'],
    ])
  })

  test('beside a line in an object, too', async () => {
    const on = await open()
    const body = JSON.stringify({ content: '小台 空單進場 1口 46500', execInst: 'ReduceOnly', user: 'bot' })
    await on.send(body)
    expect(await on.waiting()).toMatchObject({ proposal: null, field: 'execInst' })
    const mapping = { fields: {}, ignore: ['execInst'] }
    const on_id = { webhook_id: on.webhook.id, format: 'auto' as const, body }
    expect(await desk.person.call(previewMapping, { ...on_id, mapping: null })).toMatchObject({
      ...{ outcome: 'rejected', field: 'execInst' },
    })
    expect(await desk.person.call(previewMapping, { ...on_id, mapping })).toMatchObject({
      ...{ outcome: 'accepted', normal: { action: 'short_entry', quantity: 1, price: 46_500 } },
    })
    expect(await on.confirm({ mapping })).toHaveLength(1)
    expect((await on.send(body.replace('46500', '46510'))).status).toBe(200)
    expect((await on.send(body.replace('ReduceOnly', 'CloseOnly'))).status).toBe(202)
  })
})
