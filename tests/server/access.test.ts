// Every endpoint × every kind of caller × every organization header × whose thing it names, against an oracle of its own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { listSessions, logout } from '#contract/session.ts'
import { signalFeed } from '#contract/signal.ts'
import { createStrategy } from '#contract/strategy.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { insertGrant } from '#tests/support/grants.ts'
import { type Things, TRIALS, type Trial } from '#tests/support/matrix.ts'
import {
  type ActorName,
  type HeaderName,
  judge,
  type Side,
  type TargetName,
  type Verdict,
} from '#tests/support/oracle.ts'
import { insertGroup, insertInvite, insertMember, insertOrganization } from '#tests/support/organizations.ts'
import { type Person, send, signIn, signUp } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { checksum } from '#tests/support/tables.ts'

const ACTORS: ActorName[] = [
  'anonymous',
  'garbage',
  'ended',
  'owner',
  'stranger',
  'admin',
  'member',
  'expired',
]
const HEADERS: HeaderName[] = ['none', 'own', 'foreign', 'random', 'junk']
const TARGETS = ['owner', 'stranger', 'org'] as const
const SIDES = ['owner', 'stranger', 'org', 'foreign'] as const
type RealSide = (typeof SIDES)[number]
/** Stands in everything of a side that a person wrote: where it shows, the side shows. */
const MARK: Record<RealSide, string> = {
  owner: 'MARK-OWNER',
  stranger: 'MARK-STRANGER',
  org: 'MARK-ORG',
  foreign: 'MARK-FOREIGN',
}
const DENIALS = new Set([4010, 4011, 4012, 4030, 4031, 4040])
type PersonName = 'owner' | 'stranger' | 'admin' | 'member' | 'expired'

test('every endpoint is in the matrix, and the matrix names no other', () => {
  expect(Object.keys(TRIALS).sort()).toEqual(ENDPOINTS.map(({ name }) => name).sort())
})

describeEngines('access', (engine) => {
  let server: TestServer
  const people = {} as Record<PersonName, Person>
  /** `third`: nobody of the matrix is in it. */
  const organization = { org: '', foreign: '', third: '' }
  let colleague: Person
  const things = {} as Record<(typeof TARGETS)[number], Things>
  let ended = ''
  let count = 0

  beforeAll(async () => {
    server = await startServer({ engine })
    for (const name of ['owner', 'stranger', 'admin', 'member', 'expired'] as const)
      people[name] = await signUp(server, name)
    const { db } = server.app
    organization.org = await insertOrganization(db, '訊號社')
    organization.foreign = await insertOrganization(db, '別家')
    organization.third = await insertOrganization(db, '第三家')
    colleague = await signUp(server, '同事')
    await restore()
    for (const target of TARGETS)
      things[target] = {
        ...(await seed(target)),
        session_id: await spareSession(personOf(target)),
        grant_id: await insertGrant(server.app, personOf(target).uid),
        ...(await seedOrganization(target)),
      }
    await seed('foreign')
    const gone = await signIn(server, people.owner.email)
    await gone.call(logout, {})
    ended = gone.token
  })
  afterAll(() => server.close())

  const personOf = (side: RealSide) =>
    side === 'owner' ? people.owner : side === 'org' ? people.admin : people.stranger

  /** Everybody where the oracle has them. */
  async function restore() {
    const { db } = server.app
    await db.deleteFrom('memberships').where('organization_id', '=', organization.third).execute()
    await insertMember(db, organization.org, people.admin.uid, { role: 'admin' })
    await insertMember(db, organization.org, people.member.uid)
    await insertMember(db, organization.org, people.expired.uid, { role: 'admin', expires_on: '2020-12-31' })
    await insertMember(db, organization.foreign, people.stranger.uid, { role: 'admin' })
    for (const id of Object.values(organization)) await insertMember(db, id, colleague.uid)
  }

  /** What stands in the organization that a target's side names: a group, a colleague, an invitation there and one to the person. */
  async function seedOrganization(target: (typeof TARGETS)[number]): Promise<Partial<Things>> {
    const organization_id = {
      owner: organization.third,
      stranger: organization.foreign,
      org: organization.org,
    }[target]
    const { app } = server
    const mark = { owner: '第三家', stranger: MARK.foreign, org: MARK.org }[target]
    const by = people.admin.uid
    return {
      organization_id,
      member_id: colleague.uid,
      group_id: await insertGroup(app.db, organization_id, `${mark} ${++count}`, colleague.uid),
      group_member_id: colleague.uid,
      invite_id: (await insertInvite(app, organization_id, `${mark}@example.com`, by)).id,
      invite_code: (await insertInvite(app, organization.third, personOf(target).email, by)).code,
    }
  }

  /** A session of the person that may be ended. */
  async function spareSession(person: Person): Promise<string> {
    const spare = await signIn(server, person.email)
    return (await spare.call(listSessions, {})).find(({ current }) => current)?.id as string
  }

  /** Makes a strategy with a webhook, a signal and a refused message on a side. */
  async function seed(side: RealSide): Promise<Omit<Things, 'session_id'>> {
    const person = personOf(side)
    const context: Record<string, string> =
      side === 'org' || side === 'foreign' ? { 'lb-org-id': organization[side] } : {}
    const made = await person.call(
      createStrategy,
      {
        kind: 'futures',
        name: `${MARK[side]} ${++count}`,
        note: MARK[side],
        tags: ['mark'],
        settings: { product_code: 'TXF' },
      },
      context,
    )
    const webhook = made.webhooks?.[0]
    const post = async (body: string) => {
      const answer = await server.request(new URL(webhook?.url as string).pathname, { method: 'POST', body })
      return (await answer.json()) as { delivery_id: string; signal_id: string | null }
    }
    const message = { symbol: 'TXF1!', action: 'buy', quantity: 1, price: 23_000, note: MARK[side] }
    const { signal_id } = await post(JSON.stringify(message))
    const { delivery_id } = await post(`${MARK[side]} is no signal`)
    return {
      strategy_id: made.id,
      strategy_name: made.name,
      webhook_id: webhook?.id as string,
      delivery_id,
      signal_id: signal_id as string,
      email: person.email,
    }
  }

  function headersOf(actor: ActorName, header: HeaderName, token = tokenOf(actor)): Record<string, string> {
    const own = actor === 'stranger' ? organization.foreign : organization.org
    const other = own === organization.org ? organization.foreign : organization.org
    // The owner belongs to no organization: both are foreign to that person.
    const ids = {
      own: actor === 'owner' ? other : own,
      foreign: other,
      random: crypto.randomUUID(),
      junk: "' or 1=1 --",
    }
    return {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(header !== 'none' && { 'lb-org-id': ids[header] }),
    }
  }
  function tokenOf(actor: ActorName): string | null {
    if (actor === 'anonymous') return null
    if (actor === 'garbage') return 'eyJhbGciOiJub25lIn0.eyJ1aWQiOiJ4In0.'
    return actor === 'ended' ? ended : people[actor].token
  }

  async function call(endpoint: Endpoint, input: Record<string, unknown>, headers: Record<string, string>) {
    const answer = await send(server, endpoint, input, headers)
    if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
      await answer.body?.cancel()
      return { status: answer.status, code: 0, text: '' }
    }
    const text = await answer.text()
    if (answer.headers.has('content-disposition')) return { status: answer.status, code: 0, text }
    return { status: answer.status, code: (JSON.parse(text) as { error: { code: number } }).error.code, text }
  }

  /** The marks of sides whose data must not show. */
  function strange(text: string, side: Side): RealSide[] {
    return SIDES.filter((one) => one !== side && text.includes(MARK[one]))
  }

  interface Case {
    trial: Trial
    actor: ActorName
    header: HeaderName
    target: TargetName
    verdict: Verdict
  }
  function casesOf(endpoint: Endpoint): Case[] {
    return (TRIALS[endpoint.name] ?? []).flatMap((trial) => {
      const names_nothing = trial.names === 'nothing' || trial.names === 'self'
      const targets: readonly TargetName[] = names_nothing ? ['nobody'] : TARGETS
      const kind = trial.names === 'nothing' ? 'context' : trial.names
      return ACTORS.flatMap((actor) =>
        HEADERS.flatMap((header) =>
          targets.map((target) => ({
            trial,
            actor,
            header,
            target,
            verdict: judge(endpoint.who, actor, header, target, kind),
          })),
        ),
      )
    })
  }
  const thingsOf = (target: TargetName) => things[target === 'nobody' ? 'owner' : target]
  const named = ({ actor, header, target }: Case) => `${actor}, header ${header}, thing of ${target}`

  describe.each(ENDPOINTS.map((endpoint) => ({ name: endpoint.name, endpoint })))('$name', ({ endpoint }) => {
    const cases = casesOf(endpoint)

    test('whoever may not is refused, changes nothing and learns nothing', async () => {
      for (const actor of ACTORS) {
        const before = await checksum(server.app.db)
        const refusals = cases.filter((one) => one.actor === actor && one.verdict.code !== 0)
        for (const one of refusals) {
          const input = one.trial.input(thingsOf(one.target))
          const { status, code, text } = await call(endpoint, input, headersOf(actor, one.header))
          expect([named(one), code]).toEqual([named(one), one.verdict.code])
          expect([named(one), status]).toEqual([named(one), Math.floor(one.verdict.code / 10)])
          expect([named(one), strange(text, null)]).toEqual([named(one), []])
        }
        expect([actor, await checksum(server.app.db)]).toEqual([actor, before])
      }
    }, 60_000)

    test('whoever may is not refused, and sees one side only', async () => {
      for (const one of cases.filter(({ verdict }) => verdict.code === 0)) {
        const { actor, target, trial, verdict } = one
        const writes = endpoint.method !== 'GET'
        if (writes && target !== 'nobody') {
          await restore()
          if (trial.names === 'context') Object.assign(things[target], await seed(target))
          if (trial.names !== 'person') Object.assign(things[target], await seedOrganization(target))
          else {
            things[target].session_id = await spareSession(personOf(target))
            things[target].grant_id = await insertGrant(server.app, personOf(target).uid)
          }
        }
        // Signing out must not sign out the tests.
        const spare =
          endpoint.name === 'session.logout' ? await signIn(server, people[actor as PersonName].email) : null
        const headers = headersOf(actor, one.header, spare?.token ?? tokenOf(actor))
        const { status, code, text } = await call(endpoint, trial.input(thingsOf(target)), headers)
        expect([named(one), status < 500, DENIALS.has(code)]).toEqual([named(one), true, false])
        expect([named(one), strange(text, verdict.side)]).toEqual([named(one), []])
      }
      if (endpoint.method === 'GET') return
      await restore()
      for (const target of TARGETS)
        Object.assign(things[target], await seed(target), await seedOrganization(target))
    }, 60_000)
  })

  test('the matrix is no empty one: each side does see its own', async () => {
    for (const [person, header, side] of [
      [people.owner, {}, 'owner'],
      [people.stranger, {}, 'stranger'],
      [people.admin, { 'lb-org-id': organization.org }, 'org'],
      [people.stranger, { 'lb-org-id': organization.foreign }, 'foreign'],
    ] as const)
      expect(JSON.stringify(await person.call(signalFeed, {}, header))).toContain(MARK[side])
  })
})
