// Requests to join over HTTP on both databases: who decides, once; what becomes of those that nobody answers.
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  acceptLink,
  cancelJoinRequest,
  createLink,
  listJoinRequests,
  listLinks,
  listMyJoinRequests,
  reviewJoinRequest,
  reviewJoinRequests,
  rotateJoinCode,
  updateLink,
} from '#contract/join.ts'
import { updateMember } from '#contract/membership.ts'
import { deleteOrganization, getOrganization, updateOrganization } from '#contract/organization.ts'
import { refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { signIn } from '#tests/support/people.ts'
import { openWaysIn } from '#tests/support/ways-in.ts'

const DAY_MS = 86_400_000

describeEngines('requests to join', (engine) => {
  let ways: Awaited<ReturnType<typeof openWaysIn>>
  beforeAll(async () => {
    ways = await openWaysIn(engine)
  })
  afterAll(() => ways.office.server.close())

  test("another organization's admin reads and decides nothing here; a member neither", async () => {
    const { office, id, link, requests, review, look, asking, openOther } = ways
    const [, request_id] = await asking()
    const made = await link()
    const stranger = await openOther()
    const inside = { 'lb-org-id': stranger.organization }
    const other = { id: stranger.organization }
    for (const at of [other, { id: id() }]) {
      const answer = { ...at, request_id, decision: 'approve' as const }
      expect((await refused(stranger.admin.call(reviewJoinRequest, answer, inside))).code).toBe(4040)
      const changes = { ...at, link_id: made.id, enabled: false }
      expect((await refused(stranger.admin.call(updateLink, changes, inside))).code).toBe(4040)
    }
    const many = { ...other, request_ids: [request_id], decision: 'approve' as const }
    expect(await stranger.admin.call(reviewJoinRequests, many, inside)).toEqual([
      { request_id, result: 'unknown', request: null },
    ])
    const plain = await office.join('一般成員')
    for (const refusing of [
      refused(office.inside(plain, listJoinRequests, { id: id() })),
      refused(office.inside(plain, listLinks, { id: id() })),
      refused(office.inside(plain, rotateJoinCode, { id: id() })),
      refused(review(request_id, { decision: 'approve' }, plain)),
    ])
      expect((await refusing).code).toBe(4030)
    expect((await requests({ status: 'pending' })).items.map((one) => one.id)).toContain(request_id)
    expect((await look(made.code)).state).toBe('open')
  })

  test('two admins at once decide once; one who lost the role meanwhile decides nothing', async () => {
    const { office, id, review, member, asking } = ways
    const second = await office.join('另一位', { role: 'admin' })
    const [who, request_id] = await asking()
    const both = await Promise.allSettled([
      review(request_id, { decision: 'approve', expires_on: office.day(3) }),
      review(request_id, { decision: 'reject', reason: '名額已滿' }, second),
    ])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [mine] = await who.call(listMyJoinRequests, {})
    expect((await member(who)) !== undefined).toBe(mine?.status === 'approved')
    const [other, again] = await asking()
    const [stepped, decided] = await Promise.allSettled([
      office.inside(office.admin, updateMember, { id: id(), user_id: second.uid, role: 'member' }),
      review(again, { decision: 'approve' }, second),
    ])
    expect(stepped.status).toBe('fulfilled')
    // Whichever came first: a member exists only where the admin still was one.
    expect((await member(other)) !== undefined).toBe(decided.status === 'fulfilled')
    if (decided.status === 'fulfilled') return
    expect((await other.call(listMyJoinRequests, {}))[0]?.status).toBe('pending')
  })

  // spec §1: Its areas are: strategies (futures and stock), webhooks, signals (including manual signals),…
  // spec §3: Other entity kinds known by name only, with fields not shown: Identity, JoinOrganizationList,…
  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  test('refused with a reason that the person reads; several at once, each with its own result', async () => {
    const { office, id, requests, review, member, asking } = ways
    const [refusedOne, first] = await asking()
    const no = await review(first, { decision: 'reject', reason: '請先完成報名' })
    expect(no).toMatchObject({ status: 'rejected', reason: '請先完成報名' })
    const [mine] = await refusedOne.call(listMyJoinRequests, {})
    expect(mine).toMatchObject({ status: 'rejected', reason: '請先完成報名' })
    const told = await office.told(`p:${refusedOne.uid}`, 'profile')
    expect(told).toContainEqual({ change: 'join_requests', request_id: first })
    expect((await refused(review(first, { decision: 'approve' }))).text).toBe(
      '這份申請已經拒絕了，對方可以再申請一次',
    )
    const [a, one] = await asking()
    const [b, two] = await asking()
    const rows = await office.inside(office.admin, reviewJoinRequests, {
      ...{ id: id(), request_ids: [one, two, first, one, office.admin.uid] },
      ...{ decision: 'approve', expires_on: office.day(7) },
    })
    expect(rows.map(({ request_id, result }) => [request_id, result])).toEqual([
      [one, 'done'],
      [two, 'done'],
      [first, 'answered'],
      [office.admin.uid, 'unknown'],
    ])
    for (const who of [a, b]) expect(await member(who)).toMatchObject({ expires_on: office.day(7) })
    const [, three] = await asking()
    for (const [wrong, fields] of [
      [{ expires_on: office.day(-1) }, { expires_on: '到期日不能早於今天' }],
      [{ group_ids: [office.admin.uid] }, { 'group_ids.0': '這個群組不在組織裡，請重新整理' }],
    ] as const)
      expect(
        (
          await refused(
            review(three, { decision: 'approve', ...wrong, group_ids: [...(wrong.group_ids ?? [])] }),
          )
        ).details.fields,
      ).toEqual(fields)
    expect((await requests({ status: 'pending' })).items.map((row) => row.id)).toContain(three)
  })

  test('the same key asks once', async () => {
    const { person, link } = ways
    const who = await person()
    const { code } = await link()
    const once = { 'idempotency-key': crypto.randomUUID() }
    const first = await who.call(acceptLink, { code }, once)
    expect(await who.call(acceptLink, { code }, once)).toEqual(first)
  })

  test('an organization that is dissolved takes its links and requests along, and whoever asked hears it', async () => {
    const { office, person, accept, look, openOther } = ways
    const { admin, organization } = await openOther()
    const inside = { 'lb-org-id': organization }
    const made = await admin.call(createLink, { id: organization }, inside)
    const { join_code } = await admin.call(
      updateOrganization,
      { id: organization, join_code_enabled: true },
      inside,
    )
    const who = await person()
    await accept(who, made)
    const { name } = await admin.call(getOrganization, { id: organization }, inside)
    const before = (await office.told(`p:${who.uid}`, 'profile')).length
    await admin.call(deleteOrganization, { id: organization, name }, inside)
    expect(await who.call(listMyJoinRequests, {})).toEqual([])
    expect((await office.told(`p:${who.uid}`, 'profile')).length).toBe(before + 1)
    for (const code of [made.code, join_code as string]) expect((await refused(look(code))).code).toBe(4040)
  })

  test('taken back: it can be answered no more, and asked again', async () => {
    const { person, link, accept, review, member, asking } = ways
    const [who, request_id] = await asking()
    const stranger = await person()
    expect((await refused(stranger.call(cancelJoinRequest, { request_id }))).code).toBe(4040)
    for (let i = 0; i < 2; i++) expect(await who.call(cancelJoinRequest, { request_id })).toBeNull()
    expect((await refused(review(request_id, { decision: 'approve' }))).code).toBe(4100)
    expect(await member(who)).toBeUndefined()
    expect((await accept(who, await link())).outcome).toBe('join_request')
    expect((await who.call(listMyJoinRequests, {})).map(({ status }) => status)).toEqual(['pending'])
  })

  test('thirty days without an answer: over for both, and asked again', async () => {
    const { office, person, link, accept, requests, review, member } = ways
    const waiting = await person()
    const { join_request } = await accept(waiting, await link())
    office.pass(30 * DAY_MS)
    // Their sign-ins are as old.
    const who = await signIn(office.server, waiting.email)
    office.admin = await signIn(office.server, office.admin.email)
    expect((await who.call(listMyJoinRequests, {}))[0]?.status).toBe('expired')
    const late = await refused(review(join_request?.id as string, { decision: 'approve' }))
    expect([late.code, await member(who)]).toEqual([4100, undefined])
    expect((await requests({ status: 'expired', page_size: 100 })).items.map((one) => one.id)).toContain(
      join_request?.id,
    )
    expect((await accept(who, await link())).outcome).toBe('join_request')
    expect((await who.call(listMyJoinRequests, {})).map(({ status }) => status)).toEqual(['pending'])
  })
})
