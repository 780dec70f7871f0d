// Many deliveries over two processes on one PostgreSQL, to receivers that fail in every way, while a process is killed now and again:
// by themselves to a program, and in the order of channels to a device (push) and, where that says nothing, to LINE.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStrategy } from '#contract/strategy.ts'
import { inTransaction } from '#server/events/append.ts'
import { newId } from '#server/ids.ts'
import { noteReceipts } from '#server/notify/inbox.ts'
import { storeReceiver } from '#server/notify/receivers.ts'
import type { Result, Scenario } from './many-result.ts'
import { type AllTaken, type ManyChannel, nameOf, startSink } from './many-sink.ts'
import { giveStrategy, insertGroup, insertMember, insertOrganization } from './organizations.ts'
import { signUp } from './people.ts'
import { createDatabase } from './postgres.ts'
import { type SpawnedServer, spawnServer, startServer } from './server.ts'
import { makeReceiver, type Receiver } from './web-push.ts'

/** Each signal has a price of its own. */
const FIRST_PRICE = 46_000
const AFTER_S = 10
const SECRET = `whsec_${randomBytes(24).toString('base64')}`

/** Runs it to the end: nothing is planned any more. */
export async function manyDeliveries(scenario: Scenario): Promise<Result> {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-many-'))
  const database = await createDatabase()
  const env: Record<string, string> = {
    ...{ LOG_LEVEL: 'error', DATABASE_URL: database.url, OUTGOING_ALLOW: '127.0.0.0/8' },
    NOTIFY_FIRST_RETRY_MS: '10',
  }
  /** When the server had noted what a device said, by delivery. */
  const noted = new Map<string, string>()
  const devices = new Map<string, Receiver>()
  const sink = await startSink(scenario.faults, scenario.shows)
  Object.assign(env, {
    LINE_API_ROOT: sink.url,
    LINE_CHANNEL_TOKEN: 'many',
    LINE_CHANNEL_SECRET: 'a'.repeat(32),
  })
  // This one only takes messages in; the two others plan and deliver.
  const desk = await startServer({ data_dir, env })
  const { app } = desk
  const running: SpawnedServer[] = []
  try {
    const admin = await signUp(desk)
    const organization_id = await insertOrganization(app.db, '多人')
    await insertMember(app.db, organization_id, admin.uid, { role: 'admin' })
    const strategy = await admin.call(
      createStrategy,
      { kind: 'futures', name: '多人策略', settings: { product_code: 'MXF' } },
      { 'lb-org-id': organization_id },
    )
    const days = { starts_on: '2020-01-01', ends_on: null }
    const group_id = await insertGroup(app.db, organization_id, '全部', admin.uid)
    await giveStrategy(app, { id: group_id, organization_id }, [admin.uid, strategy.id], days)
    const people: string[] = []
    for (let i = 0; i < scenario.people; i++) people.push(await addPerson(i))
    sink.devices(devices)
    for (let i = 0; i < 2; i++) running.push(await spawnServer({ data_dir, env }))
    const started = performance.now()
    let ended_at = ''
    let kills = 0
    let stopped = false
    const killing = (async () => {
      for (let turn = 0; ; turn++) {
        for (let waited = 0; waited < scenario.kill_every_ms && !stopped; waited += 50) await pause(50)
        if (stopped) return
        const at = turn % 2
        await running[at]?.stop('SIGKILL')
        running[at] = await spawnServer({ data_dir, env })
        kills++
      }
    })()
    const hearing = (async () => {
      while (!stopped) {
        await noteShown()
        await pause(200)
      }
    })()
    const path = new URL(strategy.webhooks?.[0]?.url as string).pathname
    for (let n = 0; n < scenario.signals; n++) {
      const body = JSON.stringify({
        ...{ id: `m${n}`, symbol: 'MXF1!', action: n % 2 ? 'sell' : 'buy', qty: 1, price: FIRST_PRICE + n },
      })
      const answer = await desk.dispatch(path, { method: 'POST', body })
      if (answer.status !== 200) throw new Error(`message ${n} is answered ${answer.status}`)
      if (n === scenario.signals >> 1 && scenario.leaving > 0) {
        // Nothing of theirs may be on its way as the access ends: what is sent later is what counts.
        await settled()
        for (const uid of people.slice(0, scenario.leaving))
          await app.db.deleteFrom('group_members').where('user_id', '=', uid).execute()
        ended_at = new Date().toISOString()
      }
    }
    await settled()
    stopped = true
    await killing
    await hearing
    const ms = performance.now() - started
    return await count(await sink.close(), ms, kills, ended_at, people)
  } finally {
    for (const server of running) await server.stop('SIGKILL')
    await desk.close()
    sink.end()
    await database.drop()
    rmSync(data_dir, { recursive: true, force: true })
  }

  async function addPerson(i: number): Promise<string> {
    const uid = newId()
    const at = new Date().toISOString()
    const group = await app.db.selectFrom('strategy_groups').selectAll().executeTakeFirstOrThrow()
    await app.db
      .insertInto('users')
      .values({
        ...{ id: uid, email: `many-${i}@example.com`, name: `成員 ${i}`, password_hash: null },
        ...{ email_verified: 0, need_force_update_password: 0, avatar: null, created_at: at, updated_at: at },
      })
      .execute()
    await insertMember(app.db, group.organization_id, uid)
    await app.db
      .insertInto('group_members')
      .values({
        ...{ group_id: group.id, user_id: uid, starts_on: '2020-01-01', ends_on: null },
        ...{ created_at: at, updated_at: at },
      })
      .execute()
    const gone = i >= scenario.people - scenario.gone
    await storeReceiver(app, app.db, at, {
      ...{ uid, channel: 'webhook', same: uid, name: '127.0.0.1' },
      address: `${sink.url}/${gone ? 'gone' : 'well'}/${uid}`,
      config: { secret: SECRET, secrets: [{ secret: SECRET, until: null }], strategies: null },
    })
    const device = makeReceiver()
    devices.set(uid, device)
    await storeReceiver(app, app.db, at, {
      ...{ uid, channel: 'push', same: uid, name: '手機' },
      address: `${sink.url}/${gone ? 'gone' : 'push'}/${uid}`,
      config: { keys: device.keys, sender: app.vapid.public },
    })
    await storeReceiver(app, app.db, at, {
      ...{ uid, channel: 'line', address: uid, same: uid, name: 'LINE', config: {} },
    })
    // The shortest time that a person can choose, so that the run need not last so long; the order is the one that nobody chose.
    const fields = JSON.stringify({ 'fallback.after_s': { value: AFTER_S } })
    await app.db.insertInto('notification_settings').values({ uid, fields, updated_at: at }).execute()
    return uid
  }

  /** What the devices showed reaches the server as their receipts do. */
  async function noteShown(): Promise<void> {
    for (const [uid, own] of Map.groupBy(sink.shown(), (one) => one.uid)) {
      const shown_at = new Date().toISOString()
      const items = own.map(({ delivery_id }) => ({ channel: 'push' as const, delivery_id, shown_at }))
      await inTransaction(app, (tx) => noteReceipts(tx, uid, items))
      for (const { delivery_id } of own) noted.set(delivery_id, new Date().toISOString())
    }
  }

  /** Resolves when every signal is planned and every delivery has its last state. */
  async function settled(): Promise<void> {
    for (;;) {
      // In this order: what is planned between the two looks is open in the second.
      const behind = await app.db
        .selectFrom('counters')
        .leftJoin('notify_cursors', 'notify_cursors.scope', 'counters.scope')
        .select('counters.scope')
        .where('counters.scope', 'like', 'o:%')
        .where((eb) =>
          eb.or([
            eb('notify_cursors.seq', 'is', null),
            eb('notify_cursors.seq', '<', eb.ref('counters.seq')),
          ]),
        )
        .executeTakeFirst()
      const open = await app.db
        .selectFrom('notification_deliveries')
        .select('id')
        .where('next_at', 'is not', null)
        .executeTakeFirst()
      if (!open && !behind) return
      await pause(100)
    }
  }

  async function count(
    { messages, signals }: AllTaken,
    ms: number,
    kills: number,
    ended_at: string,
    people: string[],
  ): Promise<Result> {
    const found = await app.db
      .selectFrom('notification_deliveries as delivery')
      .innerJoin('notifications as told', 'told.id', 'delivery.notification_id')
      .innerJoin('signals', 'signals.id', 'told.signal_id')
      .select(['delivery.id', 'delivery.uid', 'delivery.state', 'delivery.reason', 'delivery.channel'])
      .select(['delivery.sent_at', 'signals.facts'])
      .execute()
    const rows = found.map((row) => ({
      ...row,
      channel: row.channel as ManyChannel,
      price: (JSON.parse(row.facts) as { price: number }).price,
    }))
    const named = ({ channel, uid, price }: (typeof rows)[number], as: ManyChannel = channel) =>
      nameOf(as, uid, price)
    /** What went as one message, of which the words name the newest only. */
    const together = Map.groupBy(rows, ({ uid, channel, sent_at }) => `${uid} ${channel} ${sent_at}`)
    const taken = (row: (typeof rows)[number]) =>
      messages.has(`${row.channel} ${row.id}`) || signals.has(named(row))
    const arrived = (row: (typeof rows)[number]) =>
      (together.get(`${row.uid} ${row.channel} ${row.sent_at}`) ?? [row]).some(taken)
    // A push is sent; that it arrived its device says.
    const went = rows.filter(
      ({ channel, state }) => state === 'confirmed' || (channel === 'push' && state === 'sent'),
    )
    const reached = new Set(went)
    const is = (...states: string[]) => rows.filter(({ state }) => states.includes(state))
    const owner = new Map(rows.map((row) => [`${row.channel} ${row.id}`, row.uid]))
    const told = new Set(rows.map((row) => named(row)))
    const left = new Set(people.slice(0, scenario.leaving))
    const gone = new Set(people.slice(scenario.people - scenario.gone))
    const twice = rows.filter(
      (row) =>
        (messages.get(`${row.channel} ${row.id}`)?.times ?? 0) > 1 ||
        (signals.get(named(row))?.times ?? 0) > 1,
    )
    const shown = rows.flatMap((row) => {
      const at = row.channel === 'push' && noted.get(row.id)
      return at ? [{ at, line: signals.get(named(row, 'line')) }] : []
    })
    const by = (some: readonly (typeof rows)[number][]) => ({
      webhook: some.filter(({ channel }) => channel === 'webhook').length,
      push: some.filter(({ channel }) => channel === 'push').length,
      line: some.filter(({ channel }) => channel === 'line').length,
    })
    return {
      planned: rows.length,
      planned_by: by(rows),
      planned_well: rows.filter(({ uid, channel }) => channel === 'webhook' && !gone.has(uid)).length,
      confirmed: went.length,
      dead: is('dead').length,
      skipped: is('skipped').length,
      unexplained: rows.filter(
        (row) => !reached.has(row) && !(['dead', 'skipped'].includes(row.state) && row.reason),
      ).length,
      twice: twice.length,
      twice_by: by(twice),
      twice_messages: [...messages.values()].filter(({ times }) => times > 1).length,
      twice_anew: twice.filter((row) => (signals.get(named(row))?.ids.length ?? 0) > 1).length,
      both: rows.filter((row) => row.channel === 'push' && taken(row) && signals.has(named(row, 'line')))
        .length,
      after_shown: shown.filter(({ at, line }) => line !== undefined && line.at > at).length,
      to_others:
        [...messages].filter(([id, { uid, channel }]) => channel !== 'line' && owner.get(id) !== uid).length +
        [...signals].filter(([name]) => !told.has(name)).length,
      never: went.filter((row) => !arrived(row)).length,
      after_end: [...messages.values()].filter(
        ({ uid, at }) => ended_at !== '' && left.has(uid) && at > ended_at,
      ).length,
      kills,
      seconds: Math.round(ms / 100) / 10,
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((next) => setTimeout(next, ms))
}
