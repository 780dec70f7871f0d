// A server with a Telegram bot: the counterpart beside it, and what a test asks of both.
import { expect, vi } from 'vitest'
import { bindTelegram, getTelegramBinding } from '#contract/binding.ts'
import type { Person } from './people.ts'
import { type StartOptions, startServer, type TestServer } from './server.ts'
import { startTelegramApi, type TelegramApi } from './telegram-api.ts'
import type { TelegramPerson } from './telegram-state.ts'

export interface BotServer {
  readonly server: TestServer
  readonly telegram: TelegramApi
  /** What the bot wrote to a chat so far, oldest first; to one that `bind` bound, from the word that it is bound. */
  told(chat: { id: number }): string[]
  /** Waits until the bot has written so many messages to a chat; gives the last. */
  heard(chat: { id: number }, count: number): Promise<string>
  /** Waits until a chat has come with the person's link, and says that it is theirs. */
  confirm(person: Person): Promise<void>
  /** Binds a chat of this person's own; gives who it is at Telegram. */
  bind(person: Person, username: string): Promise<TelegramPerson>
  close(): Promise<void>
}

/** What a server has to be told to talk to the counterpart. */
export const botEnv = ({ token, root }: TelegramApi) => ({
  TELEGRAM_BOT_TOKEN: token,
  TELEGRAM_API_ROOT: root,
  OUTGOING_ALLOW: '127.0.0.1',
})

/** The code at the end of a deep link. */
export const codeOf = (link: string | null): string => new URL(link ?? '').searchParams.get('start') ?? ''

export async function startBotServer(options: StartOptions = {}): Promise<BotServer> {
  const telegram = await startTelegramApi()
  const server = await startServer({
    notifies: true,
    ...options,
    env: { ...botEnv(telegram), ...options.env },
  })
  const from = new Map<number, number>()
  const told = ({ id }: { id: number }) =>
    telegram.sent
      .filter(({ chat_id }) => chat_id === id)
      .slice(from.get(id) ?? 0)
      .map(({ text }) => text)
  const heard = async (chat: { id: number }, count: number) => {
    await vi.waitFor(() => expect(told(chat).length).toBeGreaterThanOrEqual(count), { timeout: 60_000 })
    return told(chat)[count - 1] as string
  }
  const confirm = async (person: Person) => {
    const waiting = () => person.call(getTelegramBinding, {}).then((binding) => binding.waiting)
    await vi.waitFor(async () => expect(await waiting()).not.toBeNull(), { timeout: 60_000 })
    await person.call(bindTelegram, { confirm: (await waiting())?.id })
  }
  return {
    server,
    telegram,
    told,
    heard,
    confirm,
    async bind(person, username) {
      const at_telegram = telegram.person(username)
      const { deep_link } = await person.call(bindTelegram, {})
      at_telegram.says(`/start ${codeOf(deep_link)}`)
      expect(await heard(at_telegram, 1)).toContain('是我')
      await confirm(person)
      from.set(at_telegram.id, 1)
      expect(await heard(at_telegram, 1)).toContain('綁定成功')
      return at_telegram
    },
    async close() {
      await server.close()
      await telegram.close()
    },
  }
}
