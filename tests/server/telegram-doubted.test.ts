// A chat that was bound in a session which was ended gives no links to sign in, until its person says once more that it is theirs.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bindTelegram, getTelegramBinding } from '#contract/binding.ts'
import { listChannels } from '#contract/notification.ts'
import { tokenLogin } from '#contract/oauth.ts'
import { endSession, listSessions, logout, updatePassword } from '#contract/session.ts'
import { inTransaction } from '#server/events/append.ts'
import { closeSessions } from '#server/session/store.ts'
import { findTicket, makeTicket, redeem } from '#server/sso/flow.ts'
import { type BotServer, codeOf, startBotServer } from '#tests/support/bots.ts'
import { refused } from '#tests/support/desk.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { call, PASSWORD, type Person, signIn, signUp } from '#tests/support/people.ts'
import type { TelegramPerson } from '#tests/support/telegram-state.ts'

describeEngines('chats of a session that was ended', (engine) => {
  let bots: BotServer
  let count = 0
  beforeAll(async () => {
    bots = await startBotServer({ engine })
  })
  afterAll(async () => {
    expect(bots.telegram.wrong).toEqual([])
    await bots.close()
  })

  /** The ticket of /app, or null when the bot gives none. */
  async function app(chat: TelegramPerson): Promise<string | null> {
    const before = bots.told(chat).length
    chat.says('/app')
    return new URL((await bots.heard(chat, before + 1)).split('\n').at(-1) ?? '').searchParams.get('ticket')
  }
  const sidOf = ({ token }: Person): string =>
    (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid
  const doubted = async (person: Person) =>
    (await person.call(listChannels, {})).find(({ channel }) => channel === 'telegram')?.config.doubted
  /** The owner at home, and the same account on another device, in which somebody binds a chat. */
  async function theft(): Promise<{ owner: Person; thief: Person; chat: TelegramPerson }> {
    const owner = await signUp(bots.server, `苦主 ${++count}`, { verify: false })
    const thief = await signIn(bots.server, owner.email)
    return { owner, thief, chat: await bots.bind(thief, `thief${count}`) }
  }

  test('ended from the list: no link, also none that was asked for before; 是我 gives it back', async () => {
    const { owner, thief, chat } = await theft()
    const before = await app(chat)
    expect(before).toBeTruthy()
    expect(await doubted(owner)).toBeUndefined()
    await owner.call(endSession, { id: sidOf(thief) })
    expect((await refused(call(bots.server, tokenLogin, { ticket: before ?? '' }))).code).toBe(4100)
    expect(await app(chat)).toBeNull()
    // It is told things as before: only signing in is over.
    const [one] = (await doubted(owner)) ?? []
    expect(one).toEqual({ id: expect.any(String), name: `@thief${count}` })
    // Nobody else says so.
    const stranger = await signUp(bots.server, '別人', { verify: false })
    expect((await refused(stranger.call(bindTelegram, { confirm: one?.id }))).code).toBe(4100)
    expect(await app(chat)).toBeNull()
    await owner.call(bindTelegram, { confirm: one?.id })
    expect(await doubted(owner)).toBeUndefined()
    await bots.heard(chat, bots.told(chat).length)
    await expect.poll(() => app(chat)).toBeTruthy()
    // It is the owner's now: what else ends does not touch it.
    const phone = await signIn(bots.server, owner.email)
    await phone.call(logout, {})
    expect(await doubted(owner)).toBeUndefined()
  })

  test('signing out of the session that bound it is an end, too; another session’s end is none', async () => {
    const { owner, thief, chat } = await theft()
    const phone = await signIn(bots.server, owner.email)
    await phone.call(logout, {})
    expect(await app(chat)).toBeTruthy()
    await thief.call(logout, {})
    expect(await app(chat)).toBeNull()
  })

  test('the session that its link opened is ended from another one: the chat opens no further one', async () => {
    const owner = await signUp(bots.server, '苦主', { verify: false })
    const chat = await bots.bind(owner, 'lost_phone')
    const enter = async () => {
      const { access_token } = await call(bots.server, tokenLogin, { ticket: (await app(chat)) ?? '' })
      return access_token
    }
    const first = { token: await enter() } as Person
    // Signing out there by oneself is no doubt: the next link is how one comes back.
    await call(bots.server, logout, {}, { authorization: `Bearer ${first.token}` })
    const second = { token: await enter() } as Person
    expect((await owner.call(listSessions, {})).map(({ id }) => id)).toContain(sidOf(second))
    await owner.call(endSession, { id: sidOf(second) })
    expect(await app(chat)).toBeNull()
  })

  test('a link to bind that was made in the ended session binds nothing, and no doubted chat anew', async () => {
    const { owner, thief, chat } = await theft()
    const code = codeOf((await thief.call(bindTelegram, {})).deep_link)
    await owner.call(endSession, { id: sidOf(thief) })
    const before = bots.told(chat).length
    chat.says(`/start ${code}`)
    expect(await bots.heard(chat, before + 1)).toContain('不正確')
    expect(await app(chat)).toBeNull()
    const again = await signIn(bots.server, owner.email)
    const open = codeOf((await again.call(bindTelegram, {})).deep_link)
    await owner.call(updatePassword, { old_password: PASSWORD, new_password: 'another horse 43' })
    const told = bots.told(chat).length
    chat.says(`/start ${open}`)
    expect(await bots.heard(chat, told + 1)).toContain('不正確')
    expect((await owner.call(getTelegramBinding, {})).state).toBe('bound')
  })

  test.runIf(engine === 'postgres')(
    'a ticket that is being used while all sessions end opens none that stays',
    async () => {
      const owner = await signUp(bots.server, '苦主', { verify: false })
      const { app } = bots.server
      const ticket = await inTransaction(app, (tx) => makeTicket(tx, 'telegram', owner.uid))
      let ending: Promise<void> = Promise.resolve()
      const opened = await inTransaction(app, async (tx) => {
        const token = await redeem(app, tx, await findTicket(app, tx.db, ticket, '', tx.at), 'x')
        ending = inTransaction(app, (other) => closeSessions(app, other, owner.uid))
        // It has come as far as it does before this one is committed.
        await new Promise((next) => setTimeout(next, 500))
        return token
      })
      await ending
      expect(opened).toBeTruthy()
      const rows = await app.db
        .selectFrom('sessions')
        .select('id')
        .where('uid', '=', owner.uid)
        .where('ended_at', 'is', null)
        .execute()
      expect(rows).toEqual([])
    },
  )
})
