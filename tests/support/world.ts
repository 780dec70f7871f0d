// The people, organizations and things of the access matrix; everything that a person wrote carries the mark of its owner.

import { setGroupStrategies } from '#contract/group.ts'
import { removeMember } from '#contract/membership.ts'
import { deleteOrganization } from '#contract/organization.ts'
import { listSessions, logout } from '#contract/session.ts'
import { createStrategy, noteImageId, uploadNoteImage } from '#contract/strategy.ts'
import { updateWebhook } from '#contract/webhook.ts'
import { signToken } from '#server/access/actor.ts'
import { newId } from '#server/ids.ts'
import { insertAnnouncement } from './announcement.ts'
import { insertGrant } from './grants.ts'
import { PIXEL } from './matrix.ts'
import { insertNotice } from './notice.ts'
import { type ActorName, type HeaderName, isViewing, type RealTarget, type TargetName } from './oracle.ts'
import {
  insertGroup,
  insertInvite,
  insertLink,
  insertMember,
  insertOrganization,
  insertRequest,
} from './organizations.ts'
import { type Person, signIn, signUp } from './people.ts'
import type { TestServer } from './server.ts'
import { connect } from './third-party.ts'
import type { Things } from './trial.ts'

/** `other` is nobody's actor: another person, in no organization of the matrix. */
const PEOPLE = [
  'owner',
  'admin',
  'member',
  'admin-b',
  'member-b',
  'removed',
  'invited',
  'unverified',
  'expired',
  'other',
] as const
type PersonName = (typeof PEOPLE)[number]

export interface World {
  headers(actor: ActorName, header: HeaderName): [string, string][]
  things(actor: ActorName, target: TargetName): Things
  /** Marks in a text that are none of those that this actor may see. */
  strange(text: string, actor: ActorName, sees: readonly RealTarget[]): string[]
  /** Marks of those that are not in it. */
  missing(text: string, actor: ActorName, sees: readonly RealTarget[]): string[]
}

/** Who stands behind an actor; those without a good token name the owner's things as their own. */
function personOf(actor: ActorName): PersonName {
  if (actor === 'application' || isViewing(actor)) return 'admin'
  return (PEOPLE as readonly string[]).includes(actor) ? (actor as PersonName) : 'owner'
}

/** Builds it all through the real calls, but for what only other people's consent makes. */
export async function makeWorld(server: TestServer): Promise<World> {
  const { app } = server
  const people = {} as Record<PersonName, Person>
  for (const name of PEOPLE) people[name] = await signUp(server, name)
  const colleague = await signUp(server, '同事')
  const organization = {
    A: await insertOrganization(app.db, '訊號社'),
    B: await insertOrganization(app.db, '別家'),
    third: await insertOrganization(app.db, '第三家'),
    dissolved: await insertOrganization(app.db, '解散的'),
  }
  const { A, B, third, dissolved } = organization
  for (const name of ['admin', 'admin-b'] as const)
    await insertMember(app.db, dissolved, people[name].uid, { role: 'admin' })
  await insertMember(app.db, dissolved, people.member.uid)
  await people.admin.call(deleteOrganization, { id: dissolved, name: '解散的' }, { 'lb-org-id': dissolved })
  await insertMember(app.db, A, people.admin.uid, { role: 'admin' })
  await insertMember(app.db, B, people['admin-b'].uid, { role: 'admin' })
  for (const name of ['member', 'removed'] as const) await insertMember(app.db, A, people[name].uid)
  await insertMember(app.db, B, people['member-b'].uid)
  for (const id of [A, B, third]) await insertMember(app.db, id, colleague.uid)
  await insertMember(app.db, A, people.expired.uid, { role: 'admin', expires_on: '2020-12-31' })
  await insertInvite(app, A, people.invited.email, people.admin.uid)
  await people.admin.call(removeMember, { id: A, user_id: people.removed.uid }, { 'lb-org-id': A })

  /** A strategy with a webhook, a signal and a refused message, and one of stocks, all with the mark. */
  async function seed(person: Person, mark: string, context?: string) {
    const name = `${mark} 策略`
    const headers: Record<string, string> = context ? { 'lb-org-id': context } : {}
    const { url } = await person.call(uploadNoteImage, { image: PIXEL }, headers)
    const input = {
      kind: 'futures' as const,
      name,
      note: `${mark} ![](${url})`,
      tags: ['mark'],
      settings: { product_code: 'TXF' },
    }
    const made = await person.call(createStrategy, input, headers)
    const hook = made.webhooks?.[0]
    const renamed = { id: hook?.id as string, name: mark }
    await person.call(updateWebhook, renamed, headers)
    const post = async (body: string) => {
      const answer = await server.request(new URL(hook?.url as string).pathname, { method: 'POST', body })
      return (await answer.json()) as { delivery_id: string; signal_id: string | null; format_id: string }
    }
    const message = { symbol: 'TXF1!', action: 'buy', quantity: 1, price: 23_000, note: mark }
    const { signal_id } = await post(JSON.stringify(message))
    const waiting = JSON.stringify({ symbol: 'TXF1!', side: 'buy', lots: 1, px: 23_000, memo: mark })
    const { format_id } = await post(waiting)
    const { delivery_id } = await post(`${mark} is no signal`)
    const stock = await person.call(
      createStrategy,
      {
        kind: 'xq-stock',
        name: `${mark} 股票`,
        note: mark,
        settings: { symbols: ['2330'], xq_script_name: '突破' },
      },
      context ? { 'lb-org-id': context } : {},
    )
    return {
      post,
      strategy_id: made.id,
      strategy_name: name,
      stock_id: stock.id,
      webhook_id: hook?.id as string,
      delivery_id,
      format_id,
      signal_id: signal_id as string,
      image_id: noteImageId(url) as string,
    }
  }
  // Everybody may ask there, and nobody of the matrix is in it.
  const open = await insertOrganization(app.db, '大家的')
  await app.db
    .updateTable('organizations')
    .set({ join_code_enabled: 1, join_code: 'ABCD-EFGH' })
    .where('id', '=', open)
    .execute()
  const open_to_all = {
    link_code: (await insertLink(app, open, colleague.uid)).code,
    join_code: 'ABCD-EFGH',
  }

  /** What calls name of a person alone. */
  async function ofPerson(person: Person, mark: string) {
    const asked = await insertOrganization(app.db, '想加入的')
    const spare = await signIn(server, person.email)
    const session = (await spare.call(listSessions, {})).find(({ current }) => current)
    return {
      email: person.email,
      session_id: session?.id as string,
      grant_id: await insertGrant(app, person.uid),
      ...(await insertNotice(app, person.uid)),
      ...open_to_all,
      my_request_id: await insertRequest(app.db, asked, person.uid, mark),
      invite_code: (await insertInvite(app, third, person.email, colleague.uid)).code,
    }
  }
  /** What stands in an organization: a group with one person in it, a colleague, an invitation. */
  async function ofOrganization(id: string, mark: string, in_group: Person, author: Person = colleague) {
    const group_id = await insertGroup(app.db, id, `${mark} 群組`, in_group.uid)
    return {
      organization_id: id,
      member_id: colleague.uid,
      group_id,
      group_member_id: in_group.uid,
      invite_id: (await insertInvite(app, id, `${mark}@example.com`, colleague.uid)).id,
      link_id: (await insertLink(app, id, colleague.uid)).id,
      join_request_id: await insertRequest(app.db, id, (await signUp(server, `${mark} 申請者`)).uid, mark),
      announcement_id: await insertAnnouncement(app, {
        organization_id: id,
        author: author.uid,
        mark,
        group_id,
      }),
    }
  }

  const mark = {
    given: 'MARK-GIVEN',
    ungiven: 'MARK-UNGIVEN',
    foreign: 'MARK-FOREIGN',
    other: 'MARK-OTHER',
  }
  const own = (name: PersonName) => (name === 'other' ? mark.other : `MARK-OF-${name.toUpperCase()}.`)
  const selves = {} as Record<PersonName, Things>
  for (const name of PEOPLE)
    selves[name] = { ...(await seed(people[name], own(name))), ...(await ofPerson(people[name], own(name))) }
  const shared = {
    given: {
      ...(await seed(people.admin, mark.given, A)),
      ...(await ofPerson(people.admin, own('admin'))),
      ...(await ofOrganization(A, mark.given, people.member)),
    },
    ungiven: {
      ...(await seed(people.admin, mark.ungiven, A)),
      ...(await ofPerson(people.member, own('member'))),
      ...(await ofOrganization(A, mark.ungiven, colleague)),
    },
    foreign: {
      ...(await seed(people['admin-b'], mark.foreign, B)),
      ...(await ofPerson(people['admin-b'], own('admin-b'))),
      ...(await ofOrganization(B, mark.foreign, people['member-b'])),
    },
    other: { ...selves.other, ...(await ofOrganization(third, mark.other, colleague)) },
  }
  for (const [target, admin, id] of [
    ['given', 'admin', A],
    ['ungiven', 'admin', A],
    ['foreign', 'admin-b', B],
  ] as const) {
    const { strategy_id, stock_id, post } = shared[target]
    const strategies = [strategy_id, stock_id].map((id) => ({ strategy_id: id, starts_on: '2026-01-01' }))
    await people[admin].call(
      setGroupStrategies,
      { id: shared[target].group_id, strategies },
      { 'lb-org-id': id },
    )
    // Now that somebody may see it: this one stands in their inboxes.
    await post(
      JSON.stringify({ symbol: 'TXF1!', action: 'buy', quantity: 1, price: 23_010, note: mark[target] }),
    )
  }
  await app.db
    .updateTable('users')
    .set({ email_verified: 0 })
    .where('id', '=', people.unverified.uid)
    .execute()

  const gone = await signIn(server, people.owner.email)
  await gone.call(logout, {})
  const [head = '', , signature = ''] = people.owner.token.split('.')
  const claims = { ...payloadOf(people.owner.token), uid: people.admin.uid }
  const old = { keys: app.keys, now: () => app.now() - 31 * 86_400_000 }
  const application = await connect(server, people.admin, [
    'openid',
    'profile',
    'email',
    'signals:read',
    'strategies:read',
    'signals:write',
  ])
  const tokens: Partial<Record<ActorName, string>> = {
    tampered: [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.'),
    outdated: (
      await signToken(
        old,
        people.owner.uid,
        String(payloadOf(people.owner.token)['sid']),
        '9999-01-01T00:00:00.000Z',
      )
    ).token,
    ended: gone.token,
    application: application.access_token,
  }

  const homeOf = (person: PersonName) => (person === 'admin-b' || person === 'member-b' ? B : A)
  const marksOf = (actor: ActorName, sees: readonly RealTarget[]) =>
    sees.map((one) => (one === 'self' ? own(personOf(actor)) : mark[one]))

  return {
    headers(actor, header) {
      const person = personOf(actor)
      const home = homeOf(person)
      const ids: Record<HeaderName, string[]> = {
        none: [],
        own: [home],
        foreign: [home === A ? B : A],
        random: [newId()],
        dissolved: [dissolved],
        twice: [home, home],
        junk: ["' or 1=1 --"],
      }
      const token = tokens[actor] ?? people[person].token
      return [
        ...(actor === 'anonymous' ? [] : [['authorization', `Bearer ${token}`] as [string, string]]),
        ...ids[header].map((id): [string, string] => ['lb-org-id', id]),
        ...(isViewing(actor)
          ? [['lb-view-as', people[actor === 'viewing' ? 'member' : 'member-b'].uid] as [string, string]]
          : []),
      ]
    },
    things(actor, target) {
      const person = personOf(actor)
      const home_id = homeOf(person)
      if (target === 'self' || target === 'nobody')
        return { ...selves[person], organization_id: dissolved, home_id }
      return { ...shared[target], home_id }
    },
    strange(text, actor, sees) {
      const allowed = marksOf(actor, sees)
      const all = [...Object.values(mark), ...PEOPLE.map(own)]
      return all.filter((one) => !allowed.includes(one) && text.includes(one))
    },
    missing: (text, actor, sees) => marksOf(actor, sees).filter((one) => !text.includes(one)),
  }
}

function payloadOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Record<
    string,
    unknown
  >
}
