// A chat as an update names it: where it is, who speaks in it, and how it is called on our pages.
import type { Message, User } from 'grammy/types'
import { isGroup } from './pace.ts'

export interface Spoken {
  readonly chat: string
  readonly group: boolean
  /** The topic of a forum in which it was said: answers and signals go there. */
  readonly thread: number | null
  /** Who speaks: in a group only the one who bound it is answered. */
  readonly by: string
  readonly name: string
}

export function spokenOf(
  {
    chat,
    is_topic_message,
    message_thread_id,
  }: Pick<Message, 'chat' | 'is_topic_message' | 'message_thread_id'>,
  from: User,
): Spoken {
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
