// Mass assignment (T31): fields a call does not have, named like every column there is and holding somebody else's values, change nothing.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Endpoint, pathParameters, route } from '#contract/endpoint.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { updateNotificationSetting } from '#contract/notification.ts'
import { may } from '#contract/permissions.ts'
import { rotateWebhook } from '#contract/webhook.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { columnsOf, FOREIGN_TIME, foreignFields, inputNames, type Stranger } from '#tests/support/foreign.ts'
import { TRIALS } from '#tests/support/matrix.ts'
import { insertMember, insertOrganization } from '#tests/support/organizations.ts'
import { codeFor, type Person, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { dump } from '#tests/support/tables.ts'
import { makeThings } from '#tests/support/things.ts'
import type { Things } from '#tests/support/trial.ts'
import { type Undo, watchRows } from '#tests/support/undo.ts'
import { fieldOfName } from '#trading/reader/words.ts'
import { read } from '../trading/payload.ts'

type Fields = Record<string, unknown>
interface World {
  person: Person
  headers: Record<string, string>
  things: Things
}
/** What a call did to the tables: rows that went, rows that came, all that differs between two worlds blotted out. */
interface Effect {
  status: number
  rows: string[]
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
/** Hashes, sealed texts, hashed passwords, join codes; not the foreign hash. */
const RANDOM =
  /(?!f{64})[0-9a-f]{64}|v1\.[\w-]{20,}|\$argon2id\$[^"\\]+|\b[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}\b/g
const MEASURED = /access_version\\*":\d+|duration_ms\\*":[\d.]+|\b1[789]\d{11}\b/g

/** Inputs that work where the matrix has only one that is refused. */
const WORKING: Record<string, (server: TestServer, world: World) => Promise<Fields>> = {
  'profile.verify-email': async (server, { person }) => {
    const person_row = server.app.db.updateTable('users').set({ email_verified: 0 })
    await person_row.where('id', '=', person.uid).execute()
    const authorization = `Bearer ${person.token}`
    await server.request('/api/v1/user/verify/send', { method: 'POST', headers: { authorization } })
    return { code: await codeFor(server, person.email) }
  },
}

const WRITES = ENDPOINTS.filter(({ method }) => method !== 'GET')

describeEngines('fields a call does not have', (engine) => {
  let server: TestServer
  let stranger: Stranger
  let columns: Map<string, string>
  let shared: ReadonlySet<string>
  let worlds: { alone: World; inside: World }
  let rows: Undo
  /** Every table as the worlds were made; each call finds them like this. */
  let standing: Map<string, string[]>

  beforeAll(async () => {
    server = await startServer({ engine })
    const foreign_id = await insertOrganization(server.app.db, '別家')
    const other = await signUp(server, '陳外人')
    await insertMember(server.app.db, foreign_id, other.uid, { role: 'admin' })
    stranger = {
      uid: other.uid,
      organization_id: foreign_id,
      things: await makeThings(server, other, '別人的'),
    }
    columns = await columnsOf(server.app.db)
    shared = new Set(JSON.stringify([...(await dump(server.app.db))]).match(UUID))
    worlds = { alone: await world(false), inside: await world(true) }
    standing = await dump(server.app.db)
    rows = await watchRows(server.app.db, engine)
  })
  afterAll(() => server.close())

  /** A new person with one of everything, alone or as an organization's admin. */
  async function world(inside: boolean): Promise<World> {
    const person = await signUp(server, '本人', { verify: false })
    await server.app.db.updateTable('users').set({ email_verified: 1 }).where('id', '=', person.uid).execute()
    const headers: Record<string, string> = {}
    if (inside) {
      const organization_id = await insertOrganization(server.app.db, '訊號社')
      await insertMember(server.app.db, organization_id, person.uid, { role: 'admin' })
      headers['lb-org-id'] = organization_id
    }
    const things = await makeThings(server, person, '一件', headers)
    if (!inside) return { person, headers, things }
    // A second admin: one of two may be changed.
    const colleague = await signUp(server, '同事', { verify: false })
    await insertMember(server.app.db, headers['lb-org-id'] as string, colleague.uid, { role: 'admin' })
    return { person, headers, things: { ...things, member_id: colleague.uid } }
  }

  function call(endpoint: Endpoint, of: World, input: Fields, extra: Fields): Promise<Effect> {
    const { path, rest } = route(endpoint, input)
    const query = new URLSearchParams(Object.entries(extra).map(([name, value]) => [name, String(value)]))
    const inner = inputNames(endpoint).any
    return effectOf(of, input, () =>
      server.dispatch(`/api/v1${path}${query.size > 0 ? `?${query}` : ''}`, {
        method: endpoint.method,
        headers: {
          'content-type': 'application/json',
          ...(endpoint.who !== 'public' && { authorization: `Bearer ${of.person.token}` }),
          ...of.headers,
        },
        body: JSON.stringify({ ...extra, ...stuff(rest, without(extra, inner)) }),
      }),
    )
  }

  async function effectOf(of: World, input: Fields, act: () => Promise<Response>): Promise<Effect> {
    const changed = async () => dump(server.app.db, await rows.changed())
    const before = new Map([...standing, ...(await changed())])
    const answer = await act()
    await answer.text()
    // What was deleted for good goes after the answer.
    await server.app.jobs.settled('erase')
    const blot = blotOf(of, input)
    const told: string[] = []
    for (const [table, now] of await changed()) {
      const was = new Set(before.get(table))
      const is = new Set(now)
      told.push(...[...was].filter((row) => !is.has(row)).map((row) => `- ${table} ${blot(row)}`))
      told.push(...[...is].filter((row) => !was.has(row)).map((row) => `+ ${table} ${blot(row)}`))
    }
    await rows.back()
    return { status: answer.status, rows: told.sort() }
  }

  function blotOf(of: World, input: Fields): (row: string) => string {
    const own = [of.person.email, ...textsIn(input), ...textsIn(of.things)].filter((text) => text.length > 3)
    const longest = [...new Set(own)].sort((a, b) => b.length - a.length)
    // Moments first: the 22:00 of somebody's own hours stands in each of them for a minute of the day.
    const timeless = (row: string) => row.replace(INSTANT, (at) => (at === FOREIGN_TIME ? at : '‹at›'))
    return (row) =>
      longest
        .reduce(
          (text, one) => text.replaceAll(one, '‹own›').replaceAll(one.toLowerCase(), '‹own›'),
          timeless(row),
        )
        .replace(UUID, (id) => (shared.has(id) ? id : '‹own›'))
        .replace(RANDOM, '‹random›')
        .replace(MEASURED, '')
  }

  const ways = WRITES.flatMap((endpoint) =>
    contextsOf(endpoint).flatMap((inside) =>
      (TRIALS[endpoint.name] ?? []).map((trial, n) => ({ endpoint, trial, inside, n })),
    ),
  )
  const refused: string[] = []
  test.each(
    ways.map(
      (way) => [`${way.endpoint.name} ${way.n + 1}${way.inside ? ', in an organization' : ''}`, way] as const,
    ),
  )('%s', async (name, { endpoint, trial, inside }) => {
    const { top } = inputNames(endpoint)
    // A path names the thing; a field of that name in the body must not.
    const legal = new Set([...top].filter((one) => !pathParameters(endpoint.path).includes(one)))
    const begin = async (): Promise<[World, Fields]> => {
      const known = inside ? worlds.inside : worlds.alone
      // who reads a mail has one mail only
      const made = WORKING[endpoint.name] ? await world(inside) : known
      return [made, (await WORKING[endpoint.name]?.(server, made)) ?? trial.input(made.things)]
    }
    const plain = await call(endpoint, ...(await begin()), {})
    if (plain.status >= 400) refused.push(name)
    for (const booleans of inside ? [false] : [false, true]) {
      const extra = without(foreignFields(columns, endpoint, stranger, booleans), legal)
      expect(Object.keys(extra).length).toBeGreaterThan(100)
      const stuffed = await call(endpoint, ...(await begin()), extra)
      // A key of no shape is refused there.
      if (endpoint === updateNotificationSetting) expect(stuffed.status).toBe(422)
      else expect(apart(plain, stuffed)).toEqual([])
    }
  })

  test('the calls were such as work', () => {
    if (refused.length > 0)
      console.warn(`\n!!! mass assignment: the plain call was refused: ${refused.join('; ')} !!!\n`)
    // A call that is refused has less to show: those of the first nouns must work, the others are named above.
    expect(ways.length - refused.length).toBeGreaterThan(45)
  })

  test('the message of a webhook', async () => {
    // What a sender may say, under all its names; the message itself stands in the delivery as it came.
    const message = { symbol: 'TXF1!', action: 'sell', quantity: 1, price: 23_050 }
    // What the reader refuses makes no signal at all; what it reads with must not change the one it makes.
    const counts = (name: string, value: unknown) =>
      ['secret', 'token', 'key'].includes(name) ||
      read({ ...message, [name]: value }, {}, { product_code: 'TXF' }).kind !== 'signal' ||
      fieldOfName(name) !== undefined
    const deliver = async (extra: Fields) => {
      const made = worlds.alone
      const id = made.things.webhook_id
      const { url } = await made.person.call(rotateWebhook, { id, grace: 'now' })
      const body = JSON.stringify({ ...extra, ...message })
      const path = new URL(url as string).pathname
      const { status, rows } = await effectOf(made, {}, () => server.dispatch(path, { method: 'POST', body }))
      const kept = rows.filter((row) => !/^. (messages|events) /.test(row))
      // a longer message takes more room, and is of another format
      const masked = (row: string) =>
        row
          .replace(/"(signal|refused)_bytes":\d+/g, '"$1_bytes":‹bytes›')
          .replace(/"shape":"\w+"/, '"shape":‹shape›')
          // the message as it came stands with its record
          .replace(
            /"(size|dedupe_key|format_id|normal|body|duration_ms)":("(?:[^"\\]|\\.)*"|[\d.]+)/g,
            '"$1":‹message›',
          )
      return { status, rows: kept.map(masked) }
    }
    const read_one = await deliver({})
    const signals = ({ rows }: { rows: string[] }) => rows.filter((row) => row.startsWith('+ signals')).length
    expect([read_one.status, signals(read_one)]).toEqual([200, 1])
    // With anything more it is a message that nobody has confirmed, and waits, whatever it is called.
    const plain = await deliver({ unlike: 'any' })
    expect([plain.status, signals(plain)]).toEqual([202, 0])
    for (const booleans of [false, true]) {
      const all = foreignFields(columns, rotateWebhook, stranger, booleans)
      const extra = Object.entries(
        without(all, new Set(Object.keys(all).filter((name) => counts(name, all[name])))),
      )
      // A message of more than two hundred parts is refused as it is.
      expect(extra.length).toBeGreaterThan(150)
      for (let from = 0; from < extra.length; from += 150)
        expect(apart(plain, await deliver(Object.fromEntries(extra.slice(from, from + 150))))).toEqual([])
    }
  })
})

/** In which contexts (an organization = true) an admin may call it at all. */
function contextsOf({ who }: Endpoint): boolean[] {
  if (who === 'public' || who === 'login') return [false, true]
  const admin = { type: 'organization', role: 'admin' } as const
  return [...(may({ type: 'personal' }, who) ? [false] : []), ...(may(admin, who) ? [true] : [])]
}

/** Where two effects differ, each place with a little around it. */
function apart(plain: Effect, stuffed: Effect): string[] {
  const [left, right] = [plain, stuffed].map(({ status, rows }) => [`answered ${status}`, ...rows])
  const only = (these: string[] = [], those: string[] = []) => these.filter((row) => !those.includes(row))
  const [gone, come] = [only(left, right), only(right, left)]
  return Array.from({ length: Math.max(gone.length, come.length) }, (_none, i) => {
    const [was = '', is = ''] = [gone[i], come[i]]
    let at = 0
    while (at < was.length && was[at] === is[at]) at++
    const around = (row: string) => row.slice(Math.max(0, at - 60), at + 60)
    return `${was.slice(0, 30)}: …${around(was)}… became …${around(is)}…`
  })
}

/** `input` with the extra fields in each of its objects, however deep. */
function stuff(input: Fields, extra: Fields): Fields {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? { ...extra, ...stuff(value as Fields, extra) }
        : value,
    ]),
  )
}

function without(fields: Fields, names: ReadonlySet<string>): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
