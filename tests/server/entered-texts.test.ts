// What people enter: addresses compared by what is mailed, names of one line, and signs that nobody sees refused the same on both databases.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInvites } from '#contract/join.ts'
import { createOrganization } from '#contract/organization.ts'
import { getProfile, updateName } from '#contract/profile.ts'
import { forgetPassword, login, register } from '#contract/session.ts'
import { createStrategy, listStrategies, updateStrategy } from '#contract/strategy.ts'
import { updateWebhook } from '#contract/webhook.ts'
import { openDesk } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { PASSWORD, send } from '#tests/support/people.ts'

let answers_made = 0
const BAD = ['a\0b', 'a\ud800b', 'a\u202eb', 'a\u2067b', 'a\u200fb', 'a\u061cb']

describeEngines('entered texts', (engine) => {
  let desk: Awaited<ReturnType<typeof openDesk>>
  beforeAll(async () => {
    desk = await openDesk({ engine })
  })
  afterAll(() => desk.server.close())
  const join = (email: string, name = '人') =>
    send(desk.server, register, { account: email, email, name, password: PASSWORD })
  const accounts = () => desk.server.app.db.selectFrom('users').select('email').execute()
  const auth = () => ({ authorization: `Bearer ${desk.person.token}` })

  test('two writings of one mailbox are one account', async () => {
    expect((await join('ａｂ１@example.com')).status).toBe(200)
    expect((await join(' AB1@example.com')).status).toBe(200)
    expect((await join('\u212aelvin@example.com')).status).toBe(200)
    expect((await accounts()).map(({ email }) => email)).toEqual(
      expect.arrayContaining(['ab1@example.com', 'kelvin@example.com']),
    )
    expect((await accounts()).filter(({ email }) => email === 'ab1@example.com')).toHaveLength(1)
    for (const account of ['ａb1@example.com', 'AB１＠example.com'])
      expect((await send(desk.server, login, { account, password: PASSWORD })).status).toBe(200)
  })

  test('an address with signs nobody sees is none', async () => {
    for (const sign of ['\0', '\u200b', '\u202e', '\ud800', '\u00ad', '\ue000', '\u0085', '\u2060']) {
      const email = `a${sign}b@example.com`
      expect([sign, (await join(email)).status]).toEqual([sign, 422])
      expect([sign, (await send(desk.server, forgetPassword, { email })).status]).toEqual([sign, 422])
    }
    for (const account of ['a\0b@example.com', '\ud800'])
      expect((await send(desk.server, login, { account, password: 'x' })).status).toBe(422)
  })

  test.each(BAD)('%j is refused wherever somebody enters a text', async (text) => {
    const own = await desk.strategy()
    const answers = [
      await send(desk.server, updateName, { name: text }, auth()),
      await send(desk.server, updateStrategy, { id: own.strategy.id, note: text }, auth()),
      await send(desk.server, updateStrategy, { id: own.strategy.id, tags: [text] }, auth()),
      // An address line carries no half characters.
      await send(desk.server, listStrategies, { search: text.isWellFormed() ? text : BAD[0] }, auth()),
      await send(desk.server, updateWebhook, { id: own.webhook.id, name: text }, auth()),
      await send(desk.server, createOrganization, { name: '組織', introduction: text }, auth()),
      await join(`new-${encodeURIComponent(text.toWellFormed())}@example.com`, text),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 422))
  })

  test('names are one line, and no addresses', async () => {
    const settings = { product_code: 'MXF' }
    const own = await desk.strategy()
    for (const name of [
      '請看\n這裡',
      '請看\u2028這裡',
      'https://evil.example',
      'www.evil',
      '點 evil.com/x',
      'ｅｖｉｌ．ｃｏｍ',
      '客服 help@evil.example',
      '凌波。com',
      '領獎 bit.ly/abc',
      'goo.gl/x',
      't.ly/a',
      'evil.tk',
      'evil.de',
      'evil.store',
      'x.cloud/login',
      'evil.unheard/x',
      'evil．ｉｃｕ',
      '中獎.台灣',
      '192.168.1.20',
    ]) {
      const answers = [
        await send(desk.server, updateName, { name }, auth()),
        await send(desk.server, createOrganization, { name }, auth()),
        await send(desk.server, createStrategy, { kind: 'futures', name, settings }, auth()),
        await send(desk.server, updateWebhook, { id: own.webhook.id, name }, auth()),
        await join(`named-${answers_made++}@example.com`, name),
      ]
      expect([name, answers.map(({ status }) => status)]).toEqual([name, [422, 422, 422, 422, 422]])
    }
    for (const name of [
      'Dr.Wang',
      'Dr.Wu',
      'J.R.Li',
      'J. R. Smith',
      '突破1.5口.停利',
      'MXF.Night',
      '台指.波段',
      '王小明 @ 台北',
      'MXF 1.5x 突破',
      '👩‍👩‍👧‍👦',
      'v2.0',
    ])
      expect([name, (await send(desk.server, updateName, { name }, auth())).status]).toEqual([name, 200])
    expect((await desk.person.call(getProfile, {})).name).toBe('v2.0')
  })

  test('a mail to an address nobody proved quotes names only, cleaned', async () => {
    const made = await desk.person.call(createOrganization, { name: '浪花' })
    // Both from before names were checked.
    const { db } = desk.server.app
    await db
      .updateTable('users')
      .set({ name: '領獎\n請到 http://evil.example\u202e 或 evil.unheard' })
      .where('id', '=', desk.person.uid)
      .execute()
    await db.updateTable('organizations').set({ name: '銀行 evil.com' }).where('id', '=', made.id).execute()
    await desk.person.call(
      createInvites,
      { id: made.id, emails: ['invited@example.com'], role: 'member', group_ids: [], expires_on: null },
      { 'lb-org-id': made.id },
    )
    await expect
      .poll(
        async () => (await desk.server.mails()).filter(({ to }) => to.includes('invited@example.com')).length,
      )
      .toBe(1)
    const [letter] = (await desk.server.mails()).filter(({ to }) => to.includes('invited@example.com'))
    expect(letter?.text).toContain('領獎 請到 或 evil. unheard 邀請你在凌波加入組織「銀行」')
    expect(JSON.stringify(letter)).not.toMatch(/evil\.(?! unheard)|\u202e/)
  })

  test('what a message carries loses them before it is hashed; its body stays as it was sent', async () => {
    const own = await desk.strategy()
    const at = { symbol: 'MXF1!', action: 'buy', qty: 1, price: 46_000 }
    const body = JSON.stringify({ ...at, id: 'x\u202e1', note: '多\0單\u2066\ud800注意' })
    expect((await own.send(body)).status).toBe(200)
    const row = await desk.server.app.db
      .selectFrom('signals')
      .innerJoin('deliveries', 'deliveries.id', 'signals.delivery_id')
      .select(['signals.facts', 'deliveries.body'])
      .where('signals.strategy_id', '=', own.strategy.id)
      .executeTakeFirstOrThrow()
    expect(JSON.parse(row.facts)).toMatchObject({ external_id: 'x1', note: '多單注意' })
    expect(row.body).toBe(body)
    // In whatever field such a sign stands, the answer is one of ours and never that the storage failed.
    for (const sign of ['\0', '\ud800', '\u202e'])
      for (const field of ['symbol', 'action', 'qty', 'price', 'id', 'timeframe', 'more', `n${sign}`]) {
        const { status } = await own.send(JSON.stringify({ ...at, [field]: `a${sign}b` }))
        expect([field, sign, [200, 202, 400, 422].includes(status), status]).toEqual([
          field,
          sign,
          true,
          status,
        ])
      }
  })
})
