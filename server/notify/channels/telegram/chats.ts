// A chat as an update names it: where it is, who speaks in it, and how it is called on our pages.
import type { Chat, User } from 'grammy/types'
import { isGroup } from './pace.ts'

export interface Spoken {
  readonly chat: string
  readonly group: boolean
  /** Who speaks: in a group only the one who bound it is answered. */
  readonly by: string
  readonly name: string
}

export function spokenOf(chat: Chat, from: User): Spoken {
  const id = String(chat.id)
  const person = from.username === undefined ? plainName(from.first_name) : `@${from.username}`
  const name = chat.title === undefined ? person : `群組「${plainName(chat.title)}」`
  return { chat: id, group: isGroup(id), by: String(from.id), name }
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
