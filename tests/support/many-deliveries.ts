// Many deliveries over two processes on one PostgreSQL, to receivers that fail in every way, while a process is killed now and again.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStrategy } from '#contract/strategy.ts'
import { newId } from '#server/ids.ts'
import { keepReceiver } from '#server/notify/receivers.ts'
import { startSink, type Taken } from './many-sink.ts'
import { giveStrategy, insertGroup, insertMember, insertOrganization } from './organizations.ts'
import { signUp } from './people.ts'
import { createDatabase } from './postgres.ts'
import { type SpawnedServer, spawnServer, startServer } from './server.ts'

export interface Scenario {
  /** Members of one organization, each with a receiver of their own. */
  readonly people: number
  readonly signals: number
  /** A process dies so often, and is started again. */
  readonly kill_every_ms: number
  /** Share of requests that fail: 429, 500, 503, a cut connection, no answer. */
  readonly faults: number
  /** Receivers that answer 410 to everything. */
  readonly gone: number
  /** Members whose access ends after half of the signals. */
  readonly leaving: number
}

export interface Result {
  readonly planned: number
  /** Those of receivers that do not answer 410 to everything. */
  readonly planned_well: number
  readonly confirmed: number
  readonly dead: number
  readonly skipped: number
  /** Dead or skipped without saying why, or in no final state. */
  readonly unexplained: number
  /** Taken by the receiver more often than once. */
  readonly twice: number
  readonly to_others: number
  /** Confirmed, but never received. */
  readonly never: number
  readonly after_end: number
  readonly kills: number
  readonly seconds: number
}

const SECRET = `whsec_${randomBytes(24).toString('base64')}`

/** Runs it to the end: nothing is planned any more. */
export async function manyDeliveries(scenario: Scenario): Promise<Result> {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-many-'))
  const database = await createDatabase()
  const env = {
    ...{ LOG_LEVEL: 'error', DATABASE_URL: database.url, OUTGOING_ALLOW: '127.0.0.0/8' },
    NOTIFY_FIRST_RETRY_MS: '10',
  }
  const sink = await startSink(scenario.faults)
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
    const path = new URL(strategy.webhooks?.[0]?.url as string).pathname
    for (let n = 0; n < scenario.signals; n++) {
      const body = JSON.stringify({
        ...{ id: `m${n}`, symbol: 'MXF1!', action: n % 2 ? 'sell' : 'buy', qty: 1, price: 46_000 },
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
    await keepReceiver(app, app.db, at, {
      ...{ uid, channel: 'webhook', same: uid, name: '127.0.0.1' },
      address: `${sink.url}/${gone ? 'gone' : 'well'}/${uid}`,
      config: { secret: SECRET, secrets: [{ secret: SECRET, until: null }], strategies: null },
    })
    return uid
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
        .where('channel', '=', 'webhook')
        .where('next_at', 'is not', null)
        .executeTakeFirst()
      if (!open && !behind) return
      await pause(100)
    }
  }

  async function count(
    received: ReadonlyMap<string, Taken>,
    ms: number,
    kills: number,
    ended_at: string,
    people: string[],
  ): Promise<Result> {
    const rows = await app.db
      .selectFrom('notification_deliveries as delivery')
      .innerJoin('notifications as told', 'told.id', 'delivery.notification_id')
      .select(['delivery.id', 'delivery.uid', 'delivery.state', 'delivery.reason', 'told.created_at'])
      .where('delivery.channel', '=', 'webhook')
      .execute()
    const is = (state: string) => rows.filter((row) => row.state === state)
    const owner = new Map(rows.map((row) => [row.id, row.uid]))
    const left = new Set(people.slice(0, scenario.leaving))
    const gone = new Set(people.slice(scenario.people - scenario.gone))
    const taken = [...received]
    return {
      planned: rows.length,
      planned_well: rows.filter(({ uid }) => !gone.has(uid)).length,
      confirmed: is('confirmed').length,
      dead: is('dead').length,
      skipped: is('skipped').length,
      unexplained: rows.filter(
        ({ state, reason }) => state !== 'confirmed' && !(['dead', 'skipped'].includes(state) && reason),
      ).length,
      twice: taken.filter(([, { times }]) => times > 1).length,
      to_others: taken.filter(([id, { uid }]) => owner.get(id) !== uid).length,
      never: is('confirmed').filter(({ id }) => !received.has(id)).length,
      after_end: taken.filter(([, { uid, at }]) => ended_at !== '' && left.has(uid) && at > ended_at).length,
      kills,
      seconds: Math.round(ms / 100) / 10,
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((next) => setTimeout(next, ms))
}
