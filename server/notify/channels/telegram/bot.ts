// The connection to the Bot API: one per server, through the one way for calls, every call with an end; what its answers mean, how it
// names chats, and answers in their order.
import { timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Api, GrammyError } from 'grammy'
import type { InlineKeyboardMarkup, Message, User } from 'grammy/types'
import type { Logger } from 'pino'
import { ApiError } from '#contract/errors.ts'
import type { App } from '../../../context.ts'
import type { Db } from '../../../db/schema.ts'
import { SlidingWindows, type Window } from '../../../limits/rate.ts'
import type { SendResult } from '../../channel.ts'
import { readFact, storeFact } from '../../receivers.ts'

const CALL_S = 10
/** How long Telegram holds a question for updates open, and how much longer the answer may take. */
export const POLL_S = 25
const POLL_MORE_S = 10
/** A hundred updates, each with a message as long as they can be. */
const ANSWER_BYTES = 16 * 1024 * 1024

/** Groups have ids below zero. */
export const isGroup = (chat: string): boolean => chat.startsWith('-')

const CHAT: Window = { most: 1, within_ms: 1_000 }
export const GROUP: Window = { most: 20, within_ms: 60_000 }
const ALL: Window = { most: 30, within_ms: 1_000 }

/** How fast a bot may talk (domain §7.7): a message a second to one chat, twenty a minute to a group, thirty a second in all. */
export class ChatRate {
  readonly #windows = new SlidingWindows(GROUP.within_ms)

  /** 0 = go now, and it counts; else the milliseconds after which to ask again. `now` in milliseconds of any clock that only rises. */
  take(chat: string, now: number): number {
    return this.#windows.take({ [chat]: isGroup(chat) ? [CHAT, GROUP] : [CHAT], all: [ALL] }, now)
  }
}

export interface Bot {
  readonly api: Api
  /** For the question that is held open. */
  readonly patient: Api
  readonly rate: ChatRate
  readonly replies: ReplyQueue
  username: string | null
}

type Ground = Pick<App, 'config' | 'outgoing' | 'log'>

const bots = new WeakMap<App['config'], Bot>()

/** The bot of this server, null when it has none. */
export function botOf(app: Ground): Bot | null {
  const { telegram_bot_token: token } = app.config
  if (token === null) return null
  const known = bots.get(app.config)
  if (known) return known
  const api = open(app, token, CALL_S)
  const rate = new ChatRate()
  const replies = new ReplyQueue(api, rate, app.log)
  const bot = { api, patient: open(app, token, POLL_S + POLL_MORE_S), rate, replies, username: null }
  bots.set(app.config, bot)
  return bot
}

function open({ config, outgoing }: Ground, token: string, timeoutSeconds: number): Api {
  const apiRoot = config.telegram_api_root
  // The token stands in the address: it goes nowhere but there.
  const extra = { agent: outgoing.agentFor(apiRoot), redirect: 'error', size: ANSWER_BYTES }
  return new Api(token, { apiRoot, timeoutSeconds, baseFetchConfig: extra as object })
}

/** Waits for the answers that are on their way. */
export async function closeBot(app: Ground): Promise<void> {
  const bot = bots.get(app.config)
  bots.delete(app.config)
  await bot?.replies.end()
}

/** The bot, or 6020 where the server has none. */
export function requireBot(app: Ground): Bot {
  const bot = botOf(app)
  if (bot === null) throw new ApiError(6020, { text: '此伺服器未設定 Telegram Bot' })
  return bot
}

/** The name that links and groups call it by; asked once of each token. ApiError 5030 while Telegram cannot be reached. */
export async function usernameOf(app: App, bot: Bot): Promise<string> {
  const known = await knownName(app, app.db, bot)
  if (known !== null) return known
  try {
    bot.username = (await bot.api.getMe()).username
  } catch (error) {
    app.log.warn({ reason: reasonOf(error) }, 'telegram: cannot ask for the name of the bot')
    throw new ApiError(5030, { text: '現在連不到 Telegram，請稍後再試', retry_after_s: 10 })
  }
  await storeFact(app.db, 'telegram', nameFact(app), bot.username)
  return bot.username
}

/** The same when it was ever asked, else null. */
export async function knownName(
  app: Pick<App, 'config' | 'keys'>,
  db: Db,
  bot: Bot | null,
): Promise<string | null> {
  if (bot === null) return null
  bot.username ??= await readFact(db, 'telegram', nameFact(app))
  return bot.username
}

/** Another token is another bot. */
function nameFact({ config, keys }: Pick<App, 'config' | 'keys'>): string {
  return `name ${keys.mark(`telegram ${config.telegram_bot_token}`).slice(0, 16)}`
}

// What Telegram's answer means for a message (reliability F23). Without an answer nobody knows whether it came: it may come twice.

/** A chat that became a larger one has a new id. */
interface ChatMoved {
  readonly kind: 'migrated'
  readonly chat: string
}

const LOST: readonly [RegExp, 'blocked' | 'gone' | 'failing', string][] = [
  [/user is deactivated/i, 'gone', '這個 Telegram 帳號已停用'],
  [/blocked by the user/i, 'blocked', '你在 Telegram 封鎖了機器人，請解除封鎖後重新綁定'],
  [/bot was kicked|bot is not a member/i, 'blocked', '機器人被移出群組，請重新加入'],
  [/can't initiate conversation/i, 'blocked', '請先在 Telegram 向機器人按「開始」'],
  [
    /chat not found|PEER_ID_INVALID|group chat was deactivated/i,
    'gone',
    '找不到這個 Telegram 聊天，請重新綁定',
  ],
  [/TOPIC_CLOSED/i, 'failing', '這個 Telegram 主題已關閉：請在群組重新開啟它，或在另一個主題重新綁定'],
  [
    /TOPIC_DELETED|message thread not found/i,
    'failing',
    '這個 Telegram 主題已經不在了：請在要收訊號的主題重新綁定',
  ],
  [/not enough rights|CHAT_WRITE_FORBIDDEN|have no rights/i, 'failing', '機器人在這個群組沒有發言的權限'],
]
/** Wrong token, or the bot is gone: the operator's matter, so that nothing is lost meanwhile. */
const OURS_AGAIN_MS = 60_000

export function resultOf(error: unknown): Exclude<SendResult, { kind: 'moved' | 'sent' }> | ChatMoved {
  if (!(error instanceof GrammyError))
    return { kind: 'again', reason: 'Telegram 沒有回應（訊息可能已經送到）' }
  const { error_code, description, parameters = {} } = error
  const { retry_after, migrate_to_chat_id } = parameters
  if (migrate_to_chat_id !== undefined) return { kind: 'migrated', chat: String(migrate_to_chat_id) }
  if (error_code === 429)
    return {
      kind: 'again',
      reason: 'Telegram 要求稍後再送',
      ...(retry_after !== undefined && { after_ms: retry_after * 1_000 }),
    }
  if (error_code >= 500) return { kind: 'again', reason: `Telegram 暫時無法服務（${error_code}）` }
  if (error_code === 401 || error_code === 404)
    return { kind: 'again', reason: '這台伺服器的 Telegram Bot 令牌無效', after_ms: OURS_AGAIN_MS, all: true }
  for (const [words, state, reason] of LOST)
    if (words.test(description)) return { kind: 'lost', state, reason }
  // Only the number: what stands in its words nobody knows.
  if (error_code === 403)
    return { kind: 'lost', state: 'blocked', reason: 'Telegram 拒絕送到這個聊天（403）' }
  return { kind: 'refused', reason: `Telegram 不接受這則訊息（${error_code}）` }
}

/** Telegram's own sentences, like “Bad Request: chat not found”. Anything else may repeat what was sent, token and all. */
const SENTENCE = /^[A-Za-z ,.:'_-]{1,100}\d{0,5}$/

/** What went wrong, for the log. The errors of the library hold the address of the call, and so the token. */
export function reasonOf(error: unknown): string {
  const { description, error_code, name, message, error: inner } = error as Record<string, unknown>
  if (typeof description === 'string') return SENTENCE.test(description) ? description : `says ${error_code}`
  const code = (inner as { code?: unknown } | undefined)?.code
  if (name === 'HttpError') return `no answer${typeof code === 'string' ? ` (${code})` : ''}`
  return String(message)
}

// A chat as an update names it: where it is, who speaks in it, and how it is called on our pages.

export interface Asker {
  readonly chat: string
  readonly group: boolean
  /** The topic of a forum in which it was said: answers and signals go there. */
  readonly thread: number | null
  /** Who speaks: in a group only the one who bound it is answered. */
  readonly by: string
  readonly name: string
}

export function askerOf(
  {
    chat,
    is_topic_message,
    message_thread_id,
  }: Pick<Message, 'chat' | 'is_topic_message' | 'message_thread_id'>,
  from: User,
): Asker {
  const id = String(chat.id)
  const person = from.username === undefined ? plainName(from.first_name) : `@${from.username}`
  const name = chat.title === undefined ? person : `群組「${plainName(chat.title)}」`
  const thread = is_topic_message && message_thread_id !== undefined ? message_thread_id : null
  return { chat: id, group: isGroup(id), thread, by: String(from.id), name }
}

/**
 * A name that anybody may choose, as the person is asked whether it is theirs: one that begins with @ is not the account of that
 * name, and nothing in it turns the line around or hides.
 */
export function plainName(written: string): string {
  const visible = written
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .replace(/^[@＠﹫]+/u, '')
  return [...visible].slice(0, NAME_LETTERS).join('') || '沒有名字'
}
const NAME_LETTERS = 60

/** `/start@bot code` → start and its rest; null for what is no command, or another bot's. */
export function commandOf(
  text: string,
  username: string | null,
): { readonly name: string; readonly rest: string } | null {
  const [, name, to, rest] = /^\/([a-z_]{1,32})(?:@(\w{1,64}))?(?:\s+(.*))?$/is.exec(text.trim()) ?? []
  if (name === undefined) return null
  if (to !== undefined && username !== null && to.toLowerCase() !== username.toLowerCase()) return null
  return { name: name.toLowerCase(), rest: (rest ?? '').trim() }
}

/** The topic that a chat was bound in, as a call of Telegram's names it. */
export const inThread = (thread: unknown): { message_thread_id?: number } =>
  typeof thread === 'number' ? { message_thread_id: thread } : {}

// What the bot says by itself: answers to commands. Per chat one after the other, at Telegram's pace, tried a few times.

/** Something to say: plain text, so that nothing in it has to be escaped. */
export interface Reply {
  readonly chat: string
  readonly text: string
  readonly thread?: number | null
  readonly keyboard?: InlineKeyboardMarkup
}

const TRIES = 4
const AGAIN_MS = 1_000
/** Longer than this nobody waits for the answer to a command. */
const PATIENCE_MS = 90_000
/** Answers that may wait in one chat: somebody who writes faster is not answered. */
const WAITING_MOST = 10

class ReplyQueue {
  readonly #api: Api
  readonly #rate: ChatRate
  readonly #log: Logger
  readonly #chats = new Map<string, { last: Promise<void>; waiting: number }>()
  readonly #ends = new AbortController()

  constructor(api: Api, rate: ChatRate, log: Logger) {
    this.#api = api
    this.#rate = rate
    this.#log = log
  }

  /** Says it when it is its turn. */
  say(reply: Reply): void {
    const queue = this.#chats.get(reply.chat) ?? { last: Promise.resolve(), waiting: 0 }
    if (queue.waiting >= WAITING_MOST) return
    queue.waiting++
    queue.last = queue.last
      .then(() => this.#send(reply))
      .catch((error: unknown) => this.#log.warn({ reason: reasonOf(error) }, 'telegram: an answer is lost'))
      .finally(() => {
        queue.waiting--
        if (queue.waiting === 0) this.#chats.delete(reply.chat)
      })
    this.#chats.set(reply.chat, queue)
  }

  /** Answers that are ready go out; nobody waits for more tries. */
  async end(): Promise<void> {
    this.#ends.abort()
    await Promise.allSettled([...this.#chats.values()].map(({ last }) => last))
  }

  async #send({ chat, text, thread, keyboard }: Reply): Promise<void> {
    const over = performance.now() + PATIENCE_MS
    for (let tried = 1; ; tried++) {
      await this.turn(chat)
      try {
        await this.#api.sendMessage(chat, text, {
          link_preview_options: { is_disabled: true },
          ...inThread(thread),
          ...(keyboard && { reply_markup: keyboard }),
        })
        return
      } catch (error) {
        const result = resultOf(error)
        const wait = result.kind === 'again' ? (result.after_ms ?? AGAIN_MS * tried) : null
        if (wait === null || tried >= TRIES || this.#ends.signal.aborted || performance.now() + wait > over)
          throw error
        await this.#pause(wait)
      }
    }
  }

  /** Waits until the chat may be written to; it counts as written. */
  async turn(chat: string): Promise<void> {
    for (;;) {
      const wait = this.#rate.take(chat, performance.now())
      if (wait === 0 || this.#ends.signal.aborted) return
      await this.#pause(wait)
    }
  }

  #pause(ms: number): Promise<void> {
    return pause(ms, this.#ends.signal)
  }
}

/** Waits so long, or until it is ended. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
}

// The word that Telegram says with each update it sends here: made from this server's key, so that nothing has to be kept.

type HasKeys = Pick<App, 'keys'>

/** 43 letters that a header may carry. */
export function secretOf({ keys }: HasKeys): string {
  return Buffer.from(keys.purpose('telegram updates')).toString('base64url')
}

/** Whether a header says it; as long for a wrong one as for the right one. */
export function isSecret(app: HasKeys, header: string | null): boolean {
  const right = Buffer.from(secretOf(app))
  const given = Buffer.from(header ?? '')
  return given.length === right.length && timingSafeEqual(given, right)
}
