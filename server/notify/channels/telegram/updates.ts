// One update: what it means, done once. Reading comes first, then one transaction, then the answers.
import type { CallbackQuery, ChatMemberUpdated, Message, Update } from 'grammy/types'
import type { App, Tx } from '../../../context.ts'
import { isStorage } from '../../../db/storage.ts'
import { inTransaction } from '../../../events/transaction.ts'
import { CODE, receiverOf, setState } from '../../binding.ts'
import { markOf, moveReceiver } from '../../receivers.ts'
import { reasonOf } from './answer.ts'
import { type Bot, knownName, requireBot } from './bot.ts'
import { commandOf, spokenOf } from './chats.ts'
import { commandPlan, SILENT, startPlan, type UpdatePlan } from './commands.ts'
import { advance } from './offset.ts'
import { isGroup } from './pace.ts'
import * as words from './words.ts'

/** Does what an update asks for. Throws only when it could not be stored: then it comes again. */
export async function takeUpdate(app: App, update: Update): Promise<void> {
  const bot = requireBot(app)
  await knownName(app, app.db, bot)
  const plan = await planOf(app, bot, update).catch((error: unknown): UpdatePlan => {
    if (isStorage(error)) throw error
    // It would fail again: it is over, and the person hears of it.
    app.log.error({ reason: reasonOf(error), update_id: update.update_id }, 'telegram: an update failed')
    const chat = update.message?.chat
    return () =>
      Promise.resolve(chat?.type === 'private' ? [{ chat: String(chat.id), text: words.FAILED }] : [])
  })
  await inTransaction(app, async (tx) => {
    if (!(await advance(app, tx, update.update_id))) return
    for (const reply of await plan(tx)) tx.afterCommit(() => bot.speaker.say(reply))
  })
}

async function planOf(
  app: App,
  bot: Bot,
  { message, callback_query, my_chat_member }: Update,
): Promise<UpdatePlan> {
  if (message) return ofMessage(app, bot, message)
  if (callback_query) return ofPress(app, bot, callback_query)
  if (my_chat_member) return ofMembership(app, bot, my_chat_member)
  return SILENT
}

async function ofMessage(app: App, bot: Bot, message: Message): Promise<UpdatePlan> {
  const { chat, from, text, migrate_to_chat_id: to, migrate_from_chat_id: was } = message
  if (to !== undefined) return (tx) => move(app, tx, chat.id, to)
  if (was !== undefined) return (tx) => move(app, tx, was, chat.id)
  if (!from || from.is_bot || chat.type === 'channel') return SILENT
  const spoken = spokenOf(message, from)
  const command = commandOf(text ?? '', bot.username)
  if (command) return commandPlan(app, spoken, command)
  if (spoken.group) return SILENT
  const said = (text ?? '').trim()
  return CODE.test(said)
    ? startPlan(app, spoken, said, false)
    : commandPlan(app, spoken, { name: 'help', rest: '' })
}

/** The button under 「已綁定另一個帳號」: only whoever bound the chat before may give it away. */
async function ofPress(app: App, bot: Bot, { id, data, message, from }: CallbackQuery): Promise<UpdatePlan> {
  const code = data?.startsWith(words.REBIND) ? data.slice(words.REBIND.length) : ''
  const answered = (): void =>
    void bot.api.answerCallbackQuery(id).catch((error: unknown) => {
      // Too late for it: the message says the same.
      app.log.debug({ reason: reasonOf(error) }, 'telegram: a press is not answered')
    })
  const plan = message && CODE.test(code) ? await startPlan(app, spokenOf(message, from), code, true) : SILENT
  return (tx) => {
    tx.afterCommit(answered)
    return plan(tx)
  }
}

/** The bot was blocked, thrown out, or let in again. */
async function ofMembership(
  app: App,
  bot: Bot,
  { chat, new_chat_member }: ChatMemberUpdated,
): Promise<UpdatePlan> {
  const id = String(chat.id)
  const { status } = new_chat_member
  const out = status === 'kicked' || status === 'left'
  return async (tx) => {
    const row = await receiverOf(app, tx.db, 'telegram', id)
    if (row && out) await setState(tx, row, 'blocked', isGroup(id) ? words.THROWN_OUT : words.BLOCKED)
    else if (row && row.state !== 'bound') await setState(tx, row, 'bound', null)
    else if (!row && !out && isGroup(id)) return [{ chat: id, text: words.inGroup(bot.username) }]
    return []
  }
}

/** A group that became a larger one: its chat has a new number. */
async function move(app: App, tx: Tx, from: number, to: number): Promise<[]> {
  const row = await receiverOf(app, tx.db, 'telegram', String(from))
  if (row) {
    const address = String(to)
    await moveReceiver(app, tx.db, row, { address, address_mark: markOf(app, 'telegram', address) })
  }
  return []
}
