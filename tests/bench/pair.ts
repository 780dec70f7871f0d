// npm run bench -- pair: one and two processes on one PostgreSQL that waits for the disk, without a folder in common. How many signals a
// second, and what one costs; when readers at the other process have it; what stands still when one is killed.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createGroup, setGroupStrategies } from '#contract/group.ts'
import { STREAMS_PER_USER } from '#contract/limits.ts'
import { listNotifications } from '#contract/notification.ts'
import { createOrganization } from '#contract/organization.ts'
import { createStrategy } from '#contract/strategy.ts'
import { signToken } from '#server/access/actor.ts'
import { readConfig } from '#server/config.ts'
import { newId } from '#server/ids.ts'
import { openKeys } from '#server/keys.ts'
import { hookPath } from '#tests/support/desk.ts'
import { type Person, signIn, signUp } from '#tests/support/people.ts'
import { createDatabase, findPostgres } from '#tests/support/postgres.ts'
import { type SpawnedServer, spawnServer } from '#tests/support/server.ts'
import { addDays, taipei } from '#trading/calendar.ts'
import { messageNo } from './alarm-side.ts'
import { percentile, report, round, shown, spread, used } from './figures.ts'
import { fan, type Group, openGroup } from './stream.ts'
import { Sender } from './wire.ts'

const SENDERS = 64
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 5)
const RUNS = Number(process.env['BENCH_RUNS'] ?? 3)
const STREAMS = Number(process.env['STREAMS'] ?? 1_000)
/** Most processes at once: 3 with PROCESSES=3. */
const PROCESSES = Number(process.env['PROCESSES'] ?? 2)
/** Signals to the streams, at the same process and at the other one in turn. */
const LOOKS = 15

/** Machines: each a process with a folder of its own and the same keys. */
class Machines {
  readonly all: SpawnedServer[] = []
  readonly #folders: string[] = []
  readonly #database: Awaited<ReturnType<typeof createDatabase>>
  readonly keys = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64')).join('.')

  constructor(database: Awaited<ReturnType<typeof createDatabase>>) {
    this.#database = database
  }

  get url(): string {
    return this.#database.url
  }

  async start(): Promise<SpawnedServer> {
    const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-pair-'))
    const env = { LOG_LEVEL: 'error', CONNECTIONS_PER_ADDRESS: '1000000', KEYS: this.keys }
    const server = await spawnServer({ data_dir, env: { ...env, DATABASE_URL: this.url } })
    this.#folders.push(data_dir)
    this.all.push(server)
    return server
  }

  async stop(): Promise<void> {
    for (const server of this.all) await server.stop('SIGKILL')
    await this.#database.drop()
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true })
  }
}

async function pathsOf(person: Person): Promise<string[]> {
  const paths: string[] = []
  for (let i = 0; i < SENDERS; i++) {
    const settings = { product_code: 'MXF' }
    paths.push(hookPath(await person.call(createStrategy, { kind: 'futures', name: `量測 ${i}`, settings })))
  }
  return paths
}

/** All senders as fast as they are answered; `where` says which machine message `n` of sender `i` goes to. */
async function flood(
  servers: readonly SpawnedServer[],
  paths: readonly string[],
  where: (i: number, n: number) => number,
) {
  const pids = servers.map(({ child }) => child.pid)
  const sum = () => pids.reduce<number>((all, pid) => all + used(pid), 0)
  const before = sum()
  const began = performance.now()
  const until = began + SECONDS * 1_000
  let stored = 0
  const took: number[] = []
  await Promise.all(
    paths.map(async (path, i) => {
      const senders = servers.map(({ url }) => new Sender('127.0.0.1', Number(new URL(url).port)))
      for (let n = 0; performance.now() < until; n++) {
        const sender = senders[where(i, n) % senders.length] as Sender
        const { status, body, ms } = await sender.post(path, messageNo(n))
        if (status !== 200) throw new Error(`${status} ${body}`)
        took.push(ms)
        stored++
      }
      for (const sender of senders) sender.close()
    }),
  )
  const rate = stored / ((performance.now() - began) / 1_000)
  return { rate, cost_us: (sum() - before) / stored, p99: percentile(took, 0.99) }
}
type Flood = Awaited<ReturnType<typeof flood>>

/** What was taken is told, before the next is measured. */
const rest = () => sleep(4_000)

async function rates(): Promise<Record<string, Flood[]>> {
  const found: Record<string, Flood[]> = {}
  const note = (name: string, one: Flood) => {
    found[name] = [...(found[name] ?? []), one]
    process.stderr.write(`${name} ${round(one.rate)}/s ${round(one.cost_us)} us p99 ${round(one.p99)} ms\n`)
  }
  for (let run = 0; run < RUNS; run++) {
    const machines = new Machines(await createDatabase())
    const paths = await pathsOf(await signUp(await machines.start(), '量測'))
    await flood(machines.all, paths, () => 0)
    await rest()
    note('one', await flood(machines.all, paths, () => 0))
    for (let count = 2; count <= PROCESSES; count++) {
      await rest()
      await machines.start()
      await flood(machines.all, paths, (i) => i)
      await rest()
      note(`${count} split`, await flood(machines.all, paths, (i) => i))
      await rest()
      note(`${count} alternating`, await flood(machines.all, paths, (i, n) => i + n))
    }
    await machines.stop()
  }
  return found
}

/** Members with a session each, straight into the tables. */
async function addMembers(
  machines: Machines,
  organization_id: string,
  group_id: string,
  count: number,
): Promise<string[]> {
  const keys = openKeys('', readConfig({ KEYS: machines.keys }).keys)
  const client = new pg.Client({ connectionString: machines.url })
  await client.connect()
  const now = new Date().toISOString()
  const from = addDays(taipei(now).date, -1)
  const tokens: string[] = []
  for (let n = 0; n < count; n++) {
    const [uid, sid] = [newId(), newId()]
    const { token, claims } = await signToken({ keys, now: Date.now }, uid, sid, '9999-01-01T00:00:00.000Z')
    tokens.push(token)
    await client.query(
      `insert into users (id, email, name, password_hash, email_verified, need_force_update_password, avatar, created_at, updated_at)
       values ($1, $2, $3, null, 1, 0, null, $4, $4)`,
      [uid, `member-${n}@example.com`, `成員 ${n}`, now],
    )
    await client.query(
      `insert into sessions (id, uid, device_label, created_at, last_seen_at, expires_at, ended_at) values ($1, $2, '量測', $3, $3, $4, null)`,
      [sid, uid, now, new Date(claims.exp * 1_000).toISOString()],
    )
    await client.query(
      `insert into memberships (organization_id, user_id, role, starts_on, expires_on, created_at, updated_at) values ($1, $2, 'member', $3, null, $4, $4)`,
      [organization_id, uid, from, now],
    )
    await client.query(
      'insert into group_members (group_id, user_id, starts_on, ends_on, created_at, updated_at) values ($1, $2, $3, null, $4, $4)',
      [group_id, uid, from, now],
    )
  }
  await client.end()
  return tokens
}

/** When the last of very many streams has a signal that came in at their own process, and at the other one. */
async function readers(): Promise<Record<'same' | 'other', number[]>> {
  const machines = new Machines(await createDatabase())
  const [one, two] = [await machines.start(), await machines.start()]
  const admin = await signUp(one, '量測')
  const { id } = await admin.call(createOrganization, { name: '量測社' })
  const inside = { 'lb-org-id': id }
  const made = await admin.call(
    createStrategy,
    { kind: 'futures', name: '量測', settings: { product_code: 'MXF' } },
    inside,
  )
  const group = await admin.call(createGroup, { name: '全部' }, inside)
  const starts_on = addDays(taipei(new Date().toISOString()).date, -1)
  const strategies = [{ strategy_id: made.id, starts_on, ends_on: null }]
  await admin.call(setGroupStrategies, { id: group.id, strategies }, inside)
  const tokens = join(one.data_dir, 'tokens.json')
  writeFileSync(
    tokens,
    JSON.stringify(await addMembers(machines, id, group.id, Math.ceil(STREAMS / STREAMS_PER_USER))),
  )
  const took: Record<'same' | 'other', number[]> = { same: [], other: [] }
  const groups: Group[] = [await openGroup({ server: one, tokens }, 0, STREAMS, 0)]
  try {
    let n = 0
    const ports = [one, two].map(({ url }) => Number(new URL(url).port))
    const send = async (to: number) => {
      // A line of its own each time: one that was still for five seconds is closed.
      const sender = new Sender('127.0.0.1', ports[to] as number)
      const { status, body } = await sender.post(hookPath(made), messageNo(n++))
      sender.close()
      if (status !== 200) throw new Error(`${status} ${body}`)
    }
    // A stream that is open has not asked yet from where it reads; and the first hint of a scope finds nobody who knows.
    await sleep(5_000)
    for (const to of [0, 1]) await fan(groups, STREAMS, () => send(to))
    for (let look = 0; look < LOOKS; look++) {
      await sleep(400)
      took.same.push(await fan(groups, STREAMS, () => send(0)))
      await sleep(400)
      took.other.push(await fan(groups, STREAMS, () => send(1)))
    }
  } finally {
    for (const { child } of groups) child.removeAllListeners('exit').kill()
    await machines.stop()
  }
  return took
}

/** One of two is killed under a steady load: how long until everything that was stored is in the inbox, and the longest wait of a sender. */
async function killed(): Promise<{ told_ms: number; longest_ms: number }> {
  const machines = new Machines(await createDatabase())
  try {
    const [one, two] = [await machines.start(), await machines.start()]
    const first = await signUp(one, '量測')
    const paths = (await pathsOf(first)).slice(0, 16)
    const person = await signIn(two, first.email)
    let dead = false
    let over = false
    let longest_ms = 0
    let newest = { id: '', at: 0 }
    const sending = paths.map(async (path, i) => {
      const senders = [one, two].map(({ url }) => new Sender('127.0.0.1', Number(new URL(url).port)))
      let last = performance.now()
      for (let n = i; !over; n++) {
        const answer = await (senders[dead ? 1 : n % 2] as Sender).post(path, messageNo(n)).catch(() => null)
        if (answer?.status === 200) {
          longest_ms = Math.max(longest_ms, performance.now() - last)
          last = performance.now()
          if (last > newest.at)
            newest = { id: (JSON.parse(answer.body) as { signal_id: string }).signal_id, at: last }
          await sleep(50)
        } else n--
        if (answer === null) await sleep(20)
      }
      for (const sender of senders) sender.close()
    })
    await sleep(5_000)
    longest_ms = 0
    await one.stop('SIGKILL')
    const began = performance.now()
    dead = true
    await sleep(300)
    over = true
    await Promise.all(sending)
    for (;;) {
      const { items } = await person.call(listNotifications, { limit: 20 })
      if (items.some(({ signal_id }) => signal_id === newest.id)) break
      if (performance.now() - began > 60_000) throw new Error('what was stored is not told')
      await sleep(20)
    }
    return { told_ms: round(performance.now() - began), longest_ms: round(longest_ms) }
  } finally {
    await machines.stop()
  }
}

export async function pair(): Promise<void> {
  if (findPostgres() === null) throw new Error('needs PostgreSQL')
  const only = process.env['PAIR'] ?? 'rates,readers,killed'
  if (only.includes('rates')) {
    const found = await rates()
    const lines = Object.entries(found).map(([name, all]) => {
      const of = (key: keyof Flood) => spread(all.map((one) => one[key]))
      return `${name} ${shown(of('rate'), 'signals/s')}, processor ${shown(of('cost_us'), 'us')}, p99 ${shown(of('p99'), 'ms')}`
    })
    report('pair', lines.join('; '), found)
  }
  if (only.includes('readers')) {
    const took = await readers()
    const [same, other] = [spread(took.same), spread(took.other)]
    report(
      'pair-readers',
      `last of ${STREAMS} streams at the same process ${shown(same, 'ms')}, at the other ${shown(other, 'ms')}; ratio ${round(other.median / same.median)}`,
      took,
    )
  }
  if (only.includes('killed')) {
    const found = await killed()
    report(
      'pair-killed',
      `one of two killed: everything told after ${found.told_ms} ms, longest wait of a sender ${found.longest_ms} ms`,
      found,
    )
  }
}
