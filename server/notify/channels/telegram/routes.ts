// Binding Telegram, its test, and what Telegram sends here when updates come as posts.
import type { Update } from 'grammy/types'
import {
  bindTelegram,
  getTelegramBinding,
  telegramUpdates,
  testTelegram,
  unbindTelegram,
  unmuteTelegram,
} from '#contract/binding.ts'
import { ApiError } from '#contract/errors.ts'
import type { App } from '../../../context.ts'
import { handle, type Route } from '../../../http/handle.ts'
import { handleSigned } from '../../../http/signed.ts'
import { bindingOf, confirmChat, makeCode, trustChat, unbindAll } from '../../binding.ts'
import type { Receiver } from '../../channel.ts'
import { overallReport, selfTest } from '../../channel-state.ts'
import { mutedUntil, openReceiver, receiversOf, setConfig } from '../../receivers.ts'
import { botOf, knownName, requireBot, usernameOf } from './bot.ts'
import { isGroup } from './pace.ts'
import { isSecret } from './secret.ts'
import type { Reply } from './speaker.ts'
import { takeUpdate } from './updates.ts'
import { bound, TRUSTED } from './words.ts'

const threadOf = ({ config: { thread } }: Pick<Receiver, 'config'>): number | null =>
  typeof thread === 'number' ? thread : null

export function telegramRoutes(app: App): Route[] {
  const side = (username: string | null) => ({
    channel: 'telegram' as const,
    available: botOf(app) !== null,
    linkOf: (code: string) => (username === null ? null : `https://t.me/${username}?start=${code}`),
  })
  return [
    handle(app, bindTelegram, {
      async prepare({ input: { confirm }, actor }) {
        if (confirm === undefined) await app.limits.take('bind', actor.uid)
        return usernameOf(app, requireBot(app))
      },
      async run({ input: { confirm }, actor, tx, prepared }) {
        if (confirm === undefined) await makeCode(app, tx, actor, 'telegram')
        else {
          const trusted = await trustChat(app, tx, actor, 'telegram', confirm)
          const say = (reply: Reply) => tx.afterCommit(() => requireBot(app).speaker.say(reply))
          if (trusted !== null) say({ chat: trusted.address, thread: threadOf(trusted), text: TRUSTED })
          else {
            const { chat, name } = await confirmChat(app, tx, actor, 'telegram', confirm)
            const text = bound(name, isGroup(chat.address))
            say({ chat: chat.address, thread: threadOf(chat), text })
          }
        }
        return bindingOf(app, tx.db, actor.uid, side(prepared), tx.at)
      },
    }),

    handle(app, getTelegramBinding, async ({ actor, tx }) =>
      // Known since the first link was made; a page that waits does not ask Telegram.
      bindingOf(app, tx.db, actor.uid, side(await knownName(app, tx.db, botOf(app))), tx.at),
    ),

    handle(app, unbindTelegram, async ({ actor, tx }) => {
      requireBot(app)
      await unbindAll(tx, actor.uid, 'telegram')
      return null
    }),

    handle(app, unmuteTelegram, async ({ actor, tx }) => {
      for (const row of await receiversOf(tx.db, actor.uid, 'telegram'))
        if (mutedUntil(openReceiver(app, row), tx.at) !== null)
          await setConfig(app, tx.db, row, { muted_until: null })
      await tx.append(`p:${actor.uid}`, 'telegram', { change: 'unmuted' })
      return null
    }),

    handle(app, testTelegram, {
      prepare: ({ actor }) => selfTest(app, actor, 'telegram'),
      run: ({ prepared }) => Promise.resolve(overallReport(prepared)),
    }),

    handleSigned(app, telegramUpdates, {
      admit(headers) {
        requireBot(app)
        if (!isSecret(app, headers.get('x-telegram-bot-api-secret-token')))
          throw new ApiError(4010, { msg: 'secret token missing or wrong' })
      },
      run: (update) => takeUpdate(app, update as unknown as Update),
    }),
  ]
}
