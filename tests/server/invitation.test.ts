// Invitations by mail over HTTP on both databases: one mail an address, bound to it, answered once.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InputOf } from '#contract/endpoint.ts'
import { createGroup, deleteGroup, listGroupMembers } from '#contract/group.ts'
import {
  acceptInvite,
  cancelInvite,
  createInvites,
  declineInvite,
  getInvite,
  listInvites,
  listMyInvites,
  resendInvite,
} from '#contract/join.ts'
import { listMembers, updateMember } from '#contract/membership.ts'
import { getProfile } from '#contract/profile.ts'
import { register } from '#contract/session.ts'
import { countOpenInvites } from '#server/invitation/store.ts'
import { refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Office, openOffice } from '#tests/support/office.ts'
import { call, PASSWORD, type Person, signIn, signUp } from '#tests/support/people.ts'
import { dump } from '#tests/support/tables.ts'

const DAY_MS = 86_400_000

describeEngines('invitations', (engine) => {
  let office: Office
  let count = 0
  beforeAll(async () => {
    office = await openOffice(engine)
  })
  afterAll(() => office.server.close())
  const id = () => office.organization.id
  const invite = (emails: string[], over: Partial<InputOf<typeof createInvites>> = {}) =>
    office.inside(office.admin, createInvites, { id: id(), emails, ...over })
  const person = (name = `受邀者 ${++count}`, verify = true) => signUp(office.server, name, { verify })
  const letters = async (email: string) =>
    (await office.server.mails()).filter(({ to, text }) => to === email && text.includes('?invite='))
  /** Invited, not yet answered: the person and the code. */
  async function invited(over: Partial<InputOf<typeof createInvites>> = {}): Promise<[Person, string]> {
    const who = await person()
    await invite([who.email], over)
    return [who, await office.code(who.email)]
  }

  // spec §3: Other entity kinds known by name only, with fields not shown: Identity, JoinOrganizationList,…
  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  test('each address has its answer, each once, and one mail', async () => {
    const member = await office.join('已是成員')
    const fresh = `Fresh-${engine}@Example.com`
    const answers = await invite([fresh, ` ${fresh.toLowerCase()} `, 'no address', member.email])
    expect(answers.map(({ email, result }) => [email, result])).toEqual([
      [fresh.toLowerCase(), 'sent'],
      ['no address', 'invalid'],
      [member.email, 'already_member'],
    ])
    expect(answers[0]?.invite).toMatchObject({
      email: fresh.toLowerCase(),
      role: 'member',
      status: 'pending',
      send_count: 1,
      invited_by: { id: office.admin.uid, name: office.admin.name },
      accepted_at: null,
    })
    const [again] = await invite([fresh])
    expect([again?.result, again?.invite?.id]).toEqual(['already_invited', answers[0]?.invite?.id])
    await office.code(fresh.toLowerCase())
    const [letter, ...more] = await letters(fresh.toLowerCase())
    expect(more).toEqual([])
    expect(letter?.subject).toBe('林站長 邀請你加入「浪花訊號社」')
    expect(letter?.text).toContain(`${office.server.url}/my-organizations?invite=`)
    expect((await refused(invite(['x@example.com'], { expires_on: office.day(-1) }))).details.fields).toEqual(
      {
        expires_on: '到期日不能早於今天',
      },
    )
    expect(
      (await refused(invite(['x@example.com'], { group_ids: [office.admin.uid] }))).details.fields,
    ).toEqual({
      'group_ids.0': '這個群組不在組織裡，請重新整理',
    })
  })

  test('the code is long, and stands nowhere in plain', async () => {
    const [, code] = await invited()
    expect(Buffer.from(code, 'base64url').length).toBeGreaterThanOrEqual(16)
    const rows = [...(await dump(office.server.app.db)).values()].flat()
    expect(rows.filter((row) => row.includes(code))).toEqual([])
  })

  test('anybody with the code sees what it is, and for whom', async () => {
    const [who, code] = await invited({ role: 'admin' })
    const seen = await call(office.server, getInvite, { code })
    expect(seen).toEqual({
      kind: 'email',
      organization: { id: id(), name: '浪花訊號社', logo: null, introduction: '' },
      role: 'admin',
      requires_review: false,
      state: 'open',
      email_masked: seen.email_masked,
      email: who.email,
    })
    expect(seen.email_masked).not.toContain(who.email.split('@')[0])
    for (const wrong of ['x'.repeat(32), '短', `${code}x`])
      expect((await refused(call(office.server, getInvite, { code: wrong }))).code).toBe(4040)
  })

  test('registering with the code of the mail proves the mailbox, and no other one', async () => {
    const make = async (email: string, invite_code?: string) => {
      const name = '受邀者'
      await call(office.server, register, {
        account: email,
        email,
        name,
        password: PASSWORD,
        ...(invite_code && { invite_code }),
      })
      const who = await signIn(office.server, email, name)
      return { who, verified: (await who.call(getProfile, {})).email_verified }
    }
    const address = (name: string) => `${name}-${engine}-${process.pid}@example.com`
    await invite([address('mailbox'), address('other'), address('taken-back')])
    const code = await office.code(address('mailbox'))
    expect((await make(address('elsewhere'), code)).verified).toBe(false)
    expect((await make(address('other'))).verified).toBe(false)
    const { who, verified } = await make(address('mailbox'), code)
    expect(verified).toBe(true)
    expect((await who.call(acceptInvite, { code })).outcome).toBe('member')
    const withdrawn = await office.code(address('taken-back'))
    const sent = await office.inside(office.admin, listInvites, { id: id(), status: 'pending' })
    const invite_id = sent.items.find(({ email }) => email === address('taken-back'))?.id ?? ''
    await office.inside(office.admin, cancelInvite, { id: id(), invite_id })
    expect((await make(address('taken-back'), withdrawn)).verified).toBe(false)
  })

  // spec §1: Its areas are: strategies (futures and stock), webhooks, signals (including manual signals),…
  // spec §7: Named operations whose methods, paths, payloads and responses are not shown: invites by email…
  test('accepting makes a member with role, end and places in groups; once', async () => {
    const group = await office.inside(office.admin, createGroup, { name: '受邀組' })
    const gone = await office.inside(office.admin, createGroup, { name: '不見的組' })
    const [who, code] = await invited({
      role: 'admin',
      expires_on: office.day(30),
      group_ids: [group.id, gone.id],
    })
    await office.inside(office.admin, deleteGroup, { id: gone.id })
    expect((await who.call(listMyInvites, {})).map((one) => one.code)).toEqual([code])
    const db = office.server.app.db
    const at = new Date(office.server.app.now()).toISOString()
    expect(await countOpenInvites(db, { email: who.email, email_verified: true }, at)).toBe(1)
    expect(await who.call(acceptInvite, { code })).toEqual({
      outcome: 'member',
      organization: { id: id(), name: '浪花訊號社', logo: null, role: 'admin', expires_on: office.day(30) },
      join_request: null,
    })
    const { items } = await office.inside(who, listMembers, { id: id(), search: who.email })
    expect(items[0]).toMatchObject({
      role: 'admin',
      starts_on: office.day(),
      expires_on: office.day(30),
      groups: [{ id: group.id, name: '受邀組' }],
    })
    expect((await office.inside(office.admin, listGroupMembers, { id: group.id })).items).toMatchObject([
      {
        user_id: who.uid,
        starts_on: office.day(),
        ends_on: office.day(30),
        member_expires_on: office.day(30),
      },
    ])
    expect((await office.told(`p:${who.uid}`, 'membership')).at(-1)).toMatchObject({ change: 'added' })
    const error = await refused(who.call(acceptInvite, { code }))
    expect([error.code, error.status, error.text]).toEqual([4100, 410, '這份邀請已經接受過了'])
    expect((await call(office.server, getInvite, { code })).state).toBe('answered')
    expect(await countOpenInvites(db, { email: who.email, email_verified: true }, at)).toBe(0)
  })

  test('fifty at once make one member', async () => {
    const [who, code] = await invited()
    const codes = (
      await Promise.allSettled(Array.from({ length: 50 }, () => who.call(acceptInvite, { code })))
    ).map((one) => (one.status === 'fulfilled' ? 0 : (one.reason as { code: number }).code))
    expect(codes.filter((one) => one === 0)).toHaveLength(1)
    expect(codes.filter((one) => one === 4100)).toHaveLength(49)
    const rows = await office.server.app.db
      .selectFrom('memberships')
      .select('role')
      .where('user_id', '=', who.uid)
      .execute()
    expect(rows).toEqual([{ role: 'member' }])
    const told = await office.told(`p:${who.uid}`, 'membership')
    expect(told).toHaveLength(1)
  })

  test('fifty at once invite one address once', async () => {
    const who = await person()
    const results = (await Promise.all(Array.from({ length: 25 }, () => invite([who.email])))).flat()
    expect(results.filter(({ result }) => result === 'sent')).toHaveLength(1)
    expect(new Set(results.map((one) => one.invite?.id)).size).toBe(1)
  })

  test('declined, taken back, expired: over, with the reason', async () => {
    const [declines, first] = await invited()
    await declines.call(declineInvite, { code: first })
    expect((await refused(declines.call(acceptInvite, { code: first }))).text).toContain('婉拒')
    const [withdrawn, second] = await invited()
    const { items } = await office.inside(office.admin, listInvites, { id: id(), status: 'pending' })
    const row = items.find(({ email }) => email === withdrawn.email)
    const cancel = () => office.inside(office.admin, cancelInvite, { id: id(), invite_id: row?.id as string })
    expect((await cancel()).status).toBe('cancelled')
    expect((await cancel()).status).toBe('cancelled')
    const error = await refused(withdrawn.call(acceptInvite, { code: second }))
    expect([error.code, error.text]).toEqual([4100, '這份邀請已撤回，請向管理者確認'])
    expect((await call(office.server, getInvite, { code: second })).state).toBe('disabled')
    const [late, third] = await invited()
    office.pass(7 * DAY_MS)
    expect((await refused(late.call(acceptInvite, { code: third }))).text).toContain('過期')
    expect((await call(office.server, getInvite, { code: third })).state).toBe('expired')
    const [short, fourth] = await invited({ expires_on: office.day(1) })
    office.pass(2 * DAY_MS)
    expect((await refused(short.call(acceptInvite, { code: fourth }))).text).toContain('過期')
    const { items: expired } = await office.inside(office.admin, listInvites, { id: id(), status: 'expired' })
    expect(expired.map(({ email }) => email)).toEqual(expect.arrayContaining([late.email, short.email]))
    expect(expired.every(({ status }) => status === 'expired')).toBe(true)
    expect((await refused(cancelOf(declines))).code).toBe(4100)
  })
  async function cancelOf(who: Person) {
    const { items } = await office.inside(office.admin, listInvites, { id: id(), page_size: 100 })
    const invite_id = items.find(({ email }) => email === who.email)?.id as string
    return office.inside(office.admin, cancelInvite, { id: id(), invite_id })
  }

  test('sent again after a minute, under the same code and valid anew', async () => {
    const [who, code] = await invited()
    const { items } = await office.inside(office.admin, listInvites, { id: id() })
    const invite_id = items.find(({ email }) => email === who.email)?.id as string
    const again = () => office.inside(office.admin, resendInvite, { id: id(), invite_id })
    const error = await refused(again())
    expect([error.code, error.status]).toEqual([4290, 429])
    office.pass(60_000)
    expect(await again()).toMatchObject({ send_count: 2, status: 'pending' })
    for (let i = 0; i < 2_400 && (await letters(who.email)).length < 2; i++)
      await new Promise((next) => setTimeout(next, 25))
    const two = await letters(who.email)
    expect(two.map(({ text }) => text.includes(code))).toEqual([true, true])
    office.pass(8 * DAY_MS)
    expect((await again()).status).toBe('pending')
    await who.call(acceptInvite, { code })
    office.pass(60_000)
    expect((await refused(again())).code).toBe(4100)
  })

  test('a member already is told so; one whose time is over begins anew', async () => {
    const former = await office.inside(office.admin, createGroup, { name: '從前的群組' })
    const who = await office.join('回來的', { group_ids: [former.id] })
    await office.server.app.db
      .updateTable('invites')
      .set({ group_ids: '[]' })
      .where('email', '=', who.email)
      .execute()
    await office.server.app.db
      .updateTable('invites')
      .set({ status: 'pending', answered_at: null })
      .where('email', '=', who.email)
      .execute()
    const code = await office.code(who.email)
    expect((await refused(who.call(acceptInvite, { code }))).code).toBe(4094)
    await office.inside(office.admin, updateMember, {
      id: id(),
      user_id: who.uid,
      starts_on: office.day(-5),
      expires_on: office.day(-1),
    })
    await who.call(acceptInvite, { code })
    const { items } = await office.inside(office.admin, listMembers, { id: id(), search: who.email })
    expect(items).toMatchObject([{ starts_on: office.day(), expires_on: null, status: 'active' }])
    // What the invitation does not offer is not there again.
    expect(items[0]?.groups).toEqual([])
  })

  test('whoever gets one hears of it at once; no account, no trace of whether there is one', async () => {
    const who = await person()
    const nobody = `nobody-${engine}@example.com`
    const [known, unknown] = await invite([who.email, nobody])
    expect(Object.keys(known ?? {})).toEqual(Object.keys(unknown ?? {}))
    expect([known?.result, unknown?.result]).toEqual(['sent', 'sent'])
    expect(await office.told(`p:${who.uid}`, 'profile')).toContainEqual({
      change: 'invites',
      invite_id: known?.invite?.id,
    })
  })

  // spec §6: Organization admin: strategy view/create/edit/delete, organization view/edit/delete/manage, group…
  test('where no mail is sent, an admin has the link, and it proves no mailbox', async () => {
    const config = office.server.app.config as { mail_pickup: boolean }
    const codeIn = (url: string | null | undefined) => /\?invite=([\w-]+)$/.exec(url ?? '')?.[1] ?? ''
    const list = () => office.inside(office.admin, listInvites, { id: id(), status: 'pending' })
    const mailed = await person()
    const [sent] = await invite([mailed.email])
    expect(sent?.invite?.url).toBeNull()
    config.mail_pickup = false
    try {
      // one that went out as a mail keeps its code to that mailbox
      expect((await list()).items.map(({ url }) => url).filter(Boolean)).toEqual([])
      const email = `handed-${engine}@example.com`
      const [made] = await invite([email])
      const code = codeIn(made?.invite?.url)
      expect(code).not.toBe('')
      expect((await list()).items.find((one) => one.email === email)?.url).toBe(made?.invite?.url)
      // nobody's address can be registered as proven with it, and it does not tell whether there is an account
      await invite([mailed.email])
      const owner = await person()
      const [again] = await invite([owner.email])
      const registered = { name: '別人', email: owner.email, account: owner.email, password: PASSWORD }
      const answer = await call(office.server, register, {
        ...registered,
        invite_code: codeIn(again?.invite?.url),
      })
      expect(answer.has_account).toBe(false)
      await call(office.server, register, {
        name: '周以安',
        email,
        account: email,
        password: PASSWORD,
        invite_code: code,
      })
      const guest = await signIn(office.server, email)
      expect((await guest.call(getProfile, {})).email_verified).toBe(false)
      // in by the link that was handed over, and still not proven
      expect((await guest.call(acceptInvite, { code })).outcome).toBe('member')
      expect((await guest.call(getProfile, {})).email_verified).toBe(false)
      const leads = { id: id(), user_id: guest.uid, role: 'admin' } as const
      const promotion = await refused(office.inside(office.admin, updateMember, leads))
      expect([promotion.code, promotion.text]).toEqual([4220, expect.stringContaining('還沒有驗證')])
      const { items } = await office.inside(office.admin, listInvites, { id: id(), status: 'accepted' })
      expect(items.find((one) => one.email === email)?.url).toBeNull()
      // administration needs an address that was proven (C18)
      const other = await person('未驗證', false)
      const [offer] = await invite([other.email], { role: 'admin' })
      const refusal = await refused(other.call(acceptInvite, { code: codeIn(offer?.invite?.url) }))
      expect(refusal.code).toBe(6010)
      // a mail-code of before becomes one that is handed over when it is sent again
      office.pass(61_000)
      const resent = await office.inside(office.admin, resendInvite, {
        id: id(),
        invite_id: sent?.invite?.id ?? '',
      })
      expect(codeIn(resent.url)).not.toBe('')
    } finally {
      config.mail_pickup = true
    }
  })
})
