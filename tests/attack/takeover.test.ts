// An account that somebody made and then gave another person's address: once that person has reset its password by mail, nobody
// else's way in is left.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { linkSso, tokenLogin } from '#contract/oauth.ts'
import { getProfile, updateEmail } from '#contract/profile.ts'
import { forgetPassword, login, resetPassword, updatePassword } from '#contract/session.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { type Idp, startIdp } from '#tests/support/idp.ts'
import { call, PASSWORD } from '#tests/support/people.ts'
import { startServer, type TestServer } from '#tests/support/server.ts'
import { Browser } from '#tests/support/third-party.ts'

const ATTACKERS = 'attackers horse 42'

describeEngines('attack: an account made for somebody else', (engine) => {
  let server: TestServer
  let idp: Idp
  let count = 0
  beforeAll(async () => {
    idp = await startIdp()
    server = await startServer({ engine, env: { SSO_PROVIDERS: idp.env } })
    idp.open(server.url)
  })
  afterAll(async () => {
    await server.close()
    await idp.close()
  })

  /** A ticket of this person of the provider, and the browser it is bound to. */
  async function signInBy(sub: string) {
    idp.person = { sub, email: `${sub}@example.org`, email_verified: true, name: '先來的人' }
    const browser = new Browser(server.url)
    const provider = new Browser(idp.issuer)
    let next = (await browser.get('/api/v1/sso/acme/start')).headers.get('location') as string
    while (next.startsWith(idp.issuer)) {
      const step = await provider.get(next)
      next = new URL(step.headers.get('location') ?? '', next).href
    }
    const home = await browser.get(new URL(next))
    const ticket = new URL(home.headers.get('location') ?? '', server.url).searchParams.get(
      'ticket',
    ) as string
    return { ticket, cookie: { cookie: browser.cookies('/api/v1/user') } }
  }
  const redeem = async ({ ticket, cookie }: Awaited<ReturnType<typeof signInBy>>) =>
    (await call(server, tokenLogin, { ticket }, cookie)).access_token
  const as = (token: string) => ({ authorization: `Bearer ${token}` })
  const codeOf = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 0,
      (error: unknown) => (error instanceof ApiError ? error.code : Promise.reject(error)),
    )
  async function resetBy(email: string): Promise<string> {
    await call(server, forgetPassword, { email })
    const link = () =>
      server.mails().then((mails) => mails.filter(({ to }) => to === email).at(-1)?.text ?? '')
    await expect.poll(link).toMatch(/token=/)
    const token = /token=([\w-]+)/.exec(await link())?.[1] as string
    await call(server, resetPassword, { token, password: PASSWORD })
    return (await call(server, login, { account: email, password: PASSWORD })).access_token
  }
  /** The attacker's account under the victim's address, with a password that only the attacker knows. */
  async function trap() {
    const sub = `trap-${engine}-${process.pid}-${++count}`
    const victim = `victim-${engine}-${process.pid}-${count}@example.com`
    const token = await redeem(await signInBy(sub))
    await call(server, updatePassword, { new_password: ATTACKERS }, as(token))
    await call(server, updateEmail, { new_email: victim, password: ATTACKERS }, as(token))
    return { sub, victim }
  }

  test('the provider they came by asks for the new password', async () => {
    const { sub, victim } = await trap()
    const token = await resetBy(victim)
    const again = await signInBy(sub)
    expect(await codeOf(redeem(again))).toBe(6031)
    expect(
      await codeOf(call(server, linkSso, { ticket: again.ticket, password: ATTACKERS }, again.cookie)),
    ).toBe(6002)
    // Whoever knows it goes on as before, also by that provider.
    const { access_token } = await call(
      server,
      linkSso,
      { ticket: again.ticket, password: PASSWORD },
      again.cookie,
    )
    expect((await call(server, getProfile, {}, as(access_token))).email).toBe(victim)
    expect(await codeOf(redeem(await signInBy(sub)))).toBe(0)
    expect((await call(server, getProfile, {}, as(token))).email).toBe(victim)
  })

  test('a ticket they had kept opens nothing', async () => {
    const { sub, victim } = await trap()
    const kept = await signInBy(sub)
    await resetBy(victim)
    expect(await codeOf(redeem(kept))).toBe(4100)
  })
})
