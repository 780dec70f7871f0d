// Telegram: a message in a chat that a person bound, as plain text.

import type { CallbackQuery, ChatMemberUpdated, Message, Update } from 'grammy/types'
import {
  bindTelegram,
  getTelegramBinding,
  telegramUpdates,
  testTelegram,
  unbindTelegram,
  unmuteTelegram,
} from '#contract/binding.ts'
import { ApiError } from '#contract/errors.ts'
import type { App, Tx } from '../../../context.ts'
import { isStorage } from '../../../db/condition.ts'
import { inTransaction } from '../../../events/append.ts'
import { handle, handleSigned, type Route } from '../../../http/handle.ts'
import { newId } from '../../../ids.ts'
import {
  bindingOf,
  CODE,
  confirmChat,
  makeCode,
  receiverOf,
  setState,
  trustChat,
  unbindAll,
} from '../../binding.ts'
import type { Channel, Receiver, SendResult } from '../../channel.ts'
import { overallReport, selfTest } from '../../channel-state.ts'
import {
  markOf,
  moveReceiver,
  mutedUntil,
  openReceiver,
  readFact,
  receiversOf,
  setConfig,
  swapFact,
} from '../../receivers.ts'
import { textOf } from '../../words.ts'
import {
  askerOf,
  type Bot,
  botOf,
  closeBot,
  commandOf,
  GROUP,
  inThread,
  isGroup,
  isSecret,
  knownName,
  POLL_S,
  pause,
  type Reply,
  reasonOf,
  requireBot,
  resultOf,
  secretOf,
  usernameOf,
} from './bot.ts'
import { commandPlan, SILENT, sendHeads, startPlan, type UpdatePlan, words } from './commands.ts'

/** So long a message waits here for its turn; beyond it the place is left to another chat. */
const WAIT_MS = 1_500

export const telegram: Channel = {
  id: 'telegram',
  receivers: 'rows',
  gathers: true,
  rests: true,
  confirms: true,
  pace: { at_once: 10, per_receiver_ms: 1_000, per_second: 25 },
  signsIn: ({ address }) => !isGroup(address),
  unavailable: ({ config }) => (config.telegram_bot_token === null ? '此伺服器未設定 Telegram Bot' : null),
  async send(app, { id, address, config }, message, signal): Promise<SendResult> {
    const bot = botOf(app)
    if (bot === null) return { kind: 'refused', reason: '此伺服器未設定 Telegram Bot', ours: true }
    const others = isGroup(address) ? await waitForGroup(app, id) : 0
    if (others > 0) return { kind: 'wait', after_ms: others }
    for (;;) {
      const wait = bot.rate.take(address, performance.now())
      if (wait === 0) break
      if (wait > WAIT_MS) return { kind: 'wait', after_ms: wait }
      await pause(wait, signal)
    }
    try {
      // The library's type of a signal is that of Node 12.
      await bot.api.sendMessage(
        address,
        textOf(message),
        { ...quietly, ...inThread(config['thread']) },
        signal as never,
      )
      return { kind: 'sent' }
    } catch (error) {
      const result = resultOf(error)
      return result.kind === 'migrated' ? movedTo(app, result.chat) : result
    }
  },
  run: (app) => runBot(app),
}

/** How long a group has to wait for what every process together sent to it. */
async function waitForGroup({ db, now }: Pick<App, 'db' | 'now'>, receiver_id: string): Promise<number> {
  const rows = await db
    .selectFrom('notification_deliveries')
    .select('sent_at')
    .distinct()
    .where('receiver_id', '=', receiver_id)
    .where('sent_at', '>', new Date(now() - GROUP.within_ms).toISOString())
    .orderBy('sent_at', 'desc')
    .limit(GROUP.most)
    .execute()
  const first = rows[GROUP.most - 1]?.sent_at
  return first ? Math.max(1, Date.parse(first) + GROUP.within_ms - now()) : 0
}

const quietly = { link_preview_options: { is_disabled: true } }

function movedTo(app: Pick<App, 'keys'>, address: string): SendResult {
  return { kind: 'moved', address, address_mark: markOf(app, 'telegram', address) }
}

// What Telegram sends: asked for by one process at a time, or posted here; and the calls that bind.

/** Does what an update asks for. Throws only when it could not be stored: then it comes again. */
async function takeUpdate(app: App, update: Update): Promise<void> {
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
    for (const reply of await plan(tx)) tx.afterCommit(() => bot.replies.say(reply))
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
  const asker = askerOf(message, from)
  const command = commandOf(text ?? '', bot.username)
  if (command) return commandPlan(app, asker, command)
  if (asker.group) return SILENT
  const written = (text ?? '').trim()
  return CODE.test(written)
    ? startPlan(app, asker, written, false)
    : commandPlan(app, asker, { name: 'help', rest: '' })
}

/** The button under 「已綁定另一個帳號」: only whoever bound the chat before may give it away. */
async function ofPress(app: App, bot: Bot, { id, data, message, from }: CallbackQuery): Promise<UpdatePlan> {
  const code = data?.startsWith(words.REBIND) ? data.slice(words.REBIND.length) : ''
  const answered = (): void =>
    void bot.api.answerCallbackQuery(id).catch((error: unknown) => {
      // Too late for it: the message says the same.
      app.log.debug({ reason: reasonOf(error) }, 'telegram: a press is not answered')
    })
  const plan = message && CODE.test(code) ? await startPlan(app, askerOf(message, from), code, true) : SILENT
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

// The bot's own work while the server runs: asks for updates (or has them sent), in one process at a time.

/** Those who are not on duty look again so often; with updates that are sent here, the heads are thought of so often. */
const LOOK_MS = 3_000
const REST_MS = 20_000
const AGAIN_MS = 1_000
const AGAIN_MOST_MS = 30_000
const ALLOWED = ['message', 'callback_query', 'my_chat_member'] as const

/** Starts it; gives what ends it, when the update that is being answered is done. */
function runBot(app: App): () => Promise<void> {
  const bot = botOf(app)
  if (bot === null) return () => Promise.resolve()
  const ends = new AbortController()
  const running = work(app, bot, ends.signal)
  return async () => {
    ends.abort()
    await running
    await closeBot(app)
  }
}

async function work(app: App, bot: Bot, signal: AbortSignal): Promise<void> {
  const lease = new PollingLease(app)
  let ready = false
  let failed = 0
  while (!signal.aborted) {
    try {
      if (!(await lease.take())) {
        ready = false
        await pause(LOOK_MS, signal)
        continue
      }
      if (!ready) await prepare(app, bot, signal)
      ready = true
      if (app.config.telegram_updates === 'webhook') await pause(REST_MS, signal)
      else await poll(app, bot, lease, signal)
      await sendHeads(app, bot, signal)
      failed = 0
    } catch (error) {
      if (signal.aborted) break
      failed++
      app.log.warn({ reason: reasonOf(error), failed }, 'telegram: no updates')
      await pause(Math.min(AGAIN_MS * 2 ** (failed - 1), AGAIN_MOST_MS), signal)
    }
  }
  await lease
    .release()
    .catch((error: unknown) => app.log.warn({ err: error }, 'telegram: still noted as on duty'))
}

/** Where updates go, and the commands that the app of Telegram offers. */
async function prepare(app: App, bot: Bot, signal: AbortSignal): Promise<void> {
  const { api } = bot
  if (app.config.telegram_updates === 'webhook')
    await api.setWebhook(
      `${app.config.public_url}/api/v1/telegram/updates`,
      // One after the other: what somebody wrote first is answered first.
      { secret_token: secretOf(app), max_connections: 1, allowed_updates: ALLOWED },
      signal as never,
    )
  else await api.deleteWebhook({}, signal as never)
  await usernameOf(app, bot)
  await api.setMyCommands(words.MENU, {}, signal as never)
}

/** Asks once. What is not done when the server stops is asked for again by the next. */
async function poll(app: App, { patient }: Bot, lease: PollingLease, signal: AbortSignal): Promise<void> {
  const offset = await nextUpdate(app)
  const updates = await patient.getUpdates(
    { offset, timeout: POLL_S, allowed_updates: ALLOWED },
    signal as never,
  )
  for (const update of updates) {
    if (signal.aborted || !(await lease.take())) return
    await takeUpdate(app, update)
  }
}

// Of several processes with one bot only one is on duty and asks for updates: it says so again and again, and says when it stops.

/** Longer than one question is held open; so long nobody asks when the holder was killed. */
const LEASE_MS = 60_000
const NAME = 'worker'
const FREE = 'free'

export class PollingLease {
  readonly #app: Pick<App, 'db' | 'now'>
  readonly #me = newId()

  constructor(app: Pick<App, 'db' | 'now'>) {
    this.#app = app
  }

  /** Goes on duty or stays on it; false while another process is. */
  async take(): Promise<boolean> {
    const { db } = this.#app
    const now = this.#app.now()
    const value = await readFact(db, 'telegram', NAME)
    const [until = '', holder] = (value ?? FREE).split(' ')
    if (holder !== undefined && holder !== this.#me && Date.parse(until) > now) return false
    const mine = `${new Date(now + LEASE_MS).toISOString()} ${this.#me}`
    return mine === value || swapFact(db, 'telegram', NAME, value, mine)
  }

  async release(): Promise<void> {
    const value = await readFact(this.#app.db, 'telegram', NAME)
    if (value?.endsWith(this.#me)) await swapFact(this.#app.db, 'telegram', NAME, value, FREE)
  }
}

// Which updates are done: the number after the last one, moved in the transaction of what an update did, so that none counts twice.

/** Each bot counts its updates by itself: after another token the numbers of the one before say nothing. */
function nameOf({ config, keys }: Ground): string {
  return `offset ${keys.mark(`telegram ${config.telegram_bot_token}`).slice(0, 16)}`
}
type Ground = Pick<App, 'config' | 'keys'>
/** Telegram keeps updates for a day, and after a week without any the numbers may begin anywhere. */
const COUNTS_MS = 3 * 86_400_000

/** The number from which to ask; 0 = whatever there is. */
export async function nextUpdate(app: Ground & Pick<App, 'db' | 'now'>): Promise<number> {
  return nextOf(await readFact(app.db, 'telegram', nameOf(app)), app.now())
}

/** Marks an update as done; false when it was before, here or in another process. */
export async function advance(app: Ground, tx: Tx, update_id: number): Promise<boolean> {
  const value = await readFact(tx.db, 'telegram', nameOf(app))
  if (update_id < nextOf(value, Date.parse(tx.at))) return false
  return swapFact(tx.db, 'telegram', nameOf(app), value, `${update_id + 1} ${tx.at}`)
}

function nextOf(value: string | null, now_ms: number): number {
  const [next = '0', at = ''] = (value ?? '').split(' ')
  return Date.parse(at) > now_ms - COUNTS_MS ? Number(next) : 0
}

// Binding Telegram, its test, and what Telegram sends here when updates come as posts.

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
          const say = (reply: Reply) => tx.afterCommit(() => requireBot(app).replies.say(reply))
          if (trusted !== null) say({ chat: trusted.address, thread: threadOf(trusted), text: words.TRUSTED })
          else {
            const { chat, name } = await confirmChat(app, tx, actor, 'telegram', confirm)
            const text = words.bound(name, isGroup(chat.address))
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
