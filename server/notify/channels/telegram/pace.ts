// How fast a bot may talk (domain §7.7): a message a second to one chat, twenty a minute to a group, thirty a second in all.

const CHAT_MS = 1_000
export const GROUP = { most: 20, within_ms: 60_000 }
const ALL = { most: 30, within_ms: 1_000 }
/** Chats that are remembered; those who were silent for a minute are forgotten first. */
const REMEMBERED = 5_000

/** Groups have ids below zero. */
export const isGroup = (chat: string): boolean => chat.startsWith('-')

export class TelegramPace {
  readonly #chats = new Map<string, number[]>()
  #all: number[] = []

  /** 0 = go now, and it counts; else the milliseconds after which to ask again. `now` in milliseconds of any clock that only rises. */
  take(chat: string, now: number): number {
    const sent = (this.#chats.get(chat) ?? []).filter((at) => at > now - GROUP.within_ms)
    this.#all = this.#all.filter((at) => at > now - ALL.within_ms)
    const wait = Math.max(
      (sent.at(-1) ?? -Infinity) + CHAT_MS - now,
      isGroup(chat) ? untilRoom(sent, GROUP, now) : 0,
      untilRoom(this.#all, ALL, now),
    )
    if (wait > 0) return Math.ceil(wait)
    this.#all.push(now)
    this.#chats.delete(chat)
    this.#chats.set(chat, [...sent, now].slice(-GROUP.most))
    if (this.#chats.size > REMEMBERED) this.#forget(now)
    return 0
  }

  #forget(now: number): void {
    for (const [chat, sent] of this.#chats) {
      if ((sent.at(-1) ?? 0) > now - GROUP.within_ms) return
      this.#chats.delete(chat)
    }
  }
}

function untilRoom(sent: readonly number[], { most, within_ms }: typeof GROUP, now: number): number {
  const first = sent.at(-most)
  return first === undefined ? 0 : first + within_ms - now
}
