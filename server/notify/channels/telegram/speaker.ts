// What the bot says by itself: answers to commands. Per chat one after the other, at Telegram's pace, tried a few times.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from 'grammy'
import type { InlineKeyboardMarkup } from 'grammy/types'
import type { Logger } from 'pino'
import { reasonOf, resultOf } from './answer.ts'
import { inThread } from './chats.ts'
import type { TelegramPace } from './pace.ts'

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

export class Speaker {
  readonly #api: Api
  readonly #pace: TelegramPace
  readonly #log: Logger
  readonly #chats = new Map<string, { last: Promise<void>; waiting: number }>()
  readonly #ends = new AbortController()

  constructor(api: Api, pace: TelegramPace, log: Logger) {
    this.#api = api
    this.#pace = pace
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
      const wait = this.#pace.take(chat, performance.now())
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
