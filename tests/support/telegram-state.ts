// Who is at Telegram in the tests: people, groups, what they do, and the updates a bot gets of it.

export interface Chat {
  readonly id: number
  readonly type: 'private' | 'group' | 'supergroup'
  readonly username?: string
  readonly first_name?: string
  readonly title?: string
}

export type Update = { readonly update_id: number } & Record<string, unknown>

/** Somebody with the app; `says` goes to the bot's private chat. */
export interface TelegramPerson {
  readonly id: number
  readonly username: string
  /** Also presses START: a bot may write only to who did. */
  says(text: string): Update
  /** Presses a button of the bot's message. */
  presses(message_id: number, data: string): Update
  blocks(): Update
  unblocks(): Update
}

export interface TelegramGroup {
  readonly id: number
  /** `thread`: in this topic of a forum. */
  says(who: TelegramPerson, text: string, thread?: number): Update
  /** Nobody but admins may write in the topic any more. */
  closes(thread: number): void
  removesBot(): Update
  /** Becomes a supergroup: from now on the old number answers with the new one only. */
  migrates(): { readonly new_id: number }
}

export interface Place {
  readonly chat: Chat
  /** Why the bot cannot write there. */
  closed: string | null
  migrated_to: number | null
  readonly closed_threads: Set<number>
}

const BLOCKED = 'Forbidden: bot was blocked by the user'
const NOT_STARTED = "Forbidden: bot can't initiate conversation with a user"
const KICKED = 'Forbidden: bot was kicked from the group chat'

export class TelegramState {
  readonly places = new Map<number, Place>()
  /** Buttons that were pressed and wait for an answer. */
  readonly pressed = new Set<string>()
  readonly bot: { readonly id: number; readonly username: string }
  readonly #tell: (update: Update) => void
  #next_update = 1_000
  #next_id = 5_000_000_000
  #next_message = 1

  constructor(bot: { id: number; username: string }, tell: (update: Update) => void) {
    this.bot = bot
    this.#tell = tell
  }

  messageId(): number {
    return this.#next_message++
  }

  person(username: string, first_name = username): TelegramPerson {
    // Greater than 32 bits hold, as those of new accounts are.
    const id = this.#next_id++
    const from = { id, is_bot: false, first_name, username, language_code: 'zh-hant' }
    const place: Place = this.#place({ id, type: 'private', username, first_name }, NOT_STARTED)
    const membership = (was: string, is: string) =>
      this.#update('my_chat_member', {
        chat: place.chat,
        from,
        date: now(),
        old_chat_member: { user: this.#self(), status: was },
        new_chat_member: { user: this.#self(), status: is },
      })
    return {
      id,
      username,
      says: (text) => {
        if (place.closed === NOT_STARTED) place.closed = null
        return this.#update('message', this.#message(place.chat, from, text))
      },
      presses: (message_id, data) => {
        const callback = `${id}${message_id}${this.#next_update}`
        this.pressed.add(callback)
        const message = { message_id, chat: place.chat, date: now(), from: this.#self(), text: '' }
        return this.#update('callback_query', { id: callback, from, message, chat_instance: '1', data })
      },
      blocks: () => {
        place.closed = BLOCKED
        return membership('member', 'kicked')
      },
      unblocks: () => {
        place.closed = null
        return membership('kicked', 'member')
      },
    }
  }

  group(title: string): TelegramGroup {
    const place = this.#place({ id: -this.#next_id++, type: 'group', title }, null)
    return {
      id: place.chat.id,
      says: (who, text, thread) => {
        const from = { id: who.id, is_bot: false, first_name: who.username, username: who.username }
        const message = this.#message(place.chat, from, text)
        const topic = thread === undefined ? {} : { message_thread_id: thread, is_topic_message: true }
        return this.#update('message', { ...message, ...topic })
      },
      closes: (thread) => {
        place.closed_threads.add(thread)
      },
      removesBot: () => {
        place.closed = KICKED
        const member = (status: string) => ({ user: this.#self(), status })
        const [old_chat_member, new_chat_member] = [member('member'), member('kicked')]
        return this.#update('my_chat_member', {
          chat: place.chat,
          date: now(),
          old_chat_member,
          new_chat_member,
        })
      },
      migrates: () => {
        const new_id = -1_000_000_000_000 - this.#next_id++
        this.#place({ id: new_id, type: 'supergroup', title }, null)
        place.migrated_to = new_id
        this.#update('message', {
          message_id: this.messageId(),
          chat: place.chat,
          date: now(),
          migrate_to_chat_id: new_id,
        })
        return { new_id }
      },
    }
  }

  #place(chat: Chat, closed: string | null): Place {
    const place: Place = { chat, closed, migrated_to: null, closed_threads: new Set() }
    this.places.set(chat.id, place)
    return place
  }

  #self() {
    return { id: this.bot.id, is_bot: true, first_name: 'LingBo', username: this.bot.username }
  }

  #message(chat: Chat, from: object, text: string) {
    const command = /^\/\w+(@\w+)?/.exec(text)?.[0]
    const entities = command && [{ type: 'bot_command', offset: 0, length: command.length }]
    return { message_id: this.messageId(), chat, from, date: now(), text, ...(entities && { entities }) }
  }

  #update(kind: string, content: object): Update {
    const update = { update_id: this.#next_update++, [kind]: content }
    this.#tell(update)
    return update
  }
}

const now = () => Math.floor(Date.now() / 1_000)
