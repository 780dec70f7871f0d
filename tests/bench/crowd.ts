// An organization with very many members for a bench: its admin, its strategy and the group that gives it through the real
// calls, the members straight into the tables of the stopped server, each with a session of their own.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { createGroup, setGroupStrategies } from '#contract/group.ts'
import { createOrganization } from '#contract/organization.ts'
import { createStrategy } from '#contract/strategy.ts'
import { signToken } from '#server/access/actor.ts'
import { newId } from '#server/ids.ts'
import { openKeys } from '#server/keys.ts'
import { type Person, signUp } from '#tests/support/people.ts'
import { type SpawnedServer, spawnServer } from '#tests/support/server.ts'
import { addDays, taipei } from '#trading/calendar.ts'
import { message } from './app.ts'
import { Sender } from './wire.ts'

/** A running server with its crowd. */
export interface Crowd {
  server: SpawnedServer
  admin: Person
  organization_id: string
  data_dir: string
  /** A file with the members' tokens as a JSON list, for other processes. */
  tokens: string
  /** Sends one message to the strategy that all of them may read; rejects when it is not stored. */
  send(price: number): Promise<void>
  close(): Promise<void>
}

/** Starts it with so many members. */
export async function openCrowd(members: number): Promise<Crowd> {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-crowd-'))
  // All of them are on this machine: its one address may have every connection.
  const env = { LOG_LEVEL: 'error', CONNECTIONS_PER_ADDRESS: '1000000' }
  const first = await spawnServer({ data_dir, env })
  const admin = await signUp(first, '量測')
  const { id: organization_id } = await admin.call(createOrganization, { name: '量測社' })
  const inside = { 'lb-org-id': organization_id }
  const settings = { product_code: 'MXF' }
  const made = await admin.call(createStrategy, { kind: 'futures', name: '量測', settings }, inside)
  const hook = new URL(made.webhooks?.[0]?.url as string).pathname
  const group = await admin.call(createGroup, { name: '全部' }, inside)
  const today = taipei(new Date().toISOString()).date
  const starts_on = addDays(today, -1)
  await admin.call(
    setGroupStrategies,
    { id: group.id, strategies: [{ strategy_id: made.id, starts_on, ends_on: null }] },
    inside,
  )
  const port = Number(new URL(first.url).port)
  await first.stop()

  const keys = openKeys(data_dir)
  const db = new Sqlite(join(data_dir, 'lingbo.db'))
  const now = new Date().toISOString()
  const list: string[] = []
  const user = db.prepare(
    `insert into users (id, email, name, password_hash, email_verified, need_force_update_password, avatar, created_at, updated_at)
     values (?, ?, ?, null, 1, 0, null, ?, ?)`,
  )
  const session = db.prepare(
    `insert into sessions (id, uid, device_label, created_at, last_seen_at, expires_at, ended_at) values (?, ?, '量測', ?, ?, ?, null)`,
  )
  const membership = db.prepare(
    `insert into memberships (organization_id, user_id, role, starts_on, expires_on, created_at, updated_at)
     values (?, ?, 'member', ?, null, ?, ?)`,
  )
  const grouped = db.prepare(
    'insert into group_members (group_id, user_id, starts_on, ends_on, created_at, updated_at) values (?, ?, ?, null, ?, ?)',
  )
  for (let n = 0; n < members; n++) {
    const [uid, sid] = [newId(), newId()]
    const { token, claims } = await signToken({ keys, now: Date.now }, uid, sid, '9999-01-01T00:00:00.000Z')
    list.push(token)
    user.run(uid, `member-${n}@example.com`, `成員 ${n}`, now, now)
    session.run(sid, uid, now, now, new Date(claims.exp * 1_000).toISOString())
    membership.run(organization_id, uid, starts_on, now, now)
    grouped.run(group.id, uid, starts_on, now, now)
  }
  db.close()
  const tokens = join(data_dir, 'tokens.json')
  writeFileSync(tokens, JSON.stringify(list))

  const server = await spawnServer({ data_dir, port, env })
  const sender = new Sender('127.0.0.1', port)
  return {
    server,
    admin,
    organization_id,
    data_dir,
    tokens,
    async send(price) {
      const { status, body } = await sender.post(hook, message(price))
      if (status !== 200) throw new Error(`${status}: ${body}`)
    },
    async close() {
      sender.close()
      await server.stop('SIGKILL')
      rmSync(data_dir, { recursive: true, force: true })
    },
  }
}
