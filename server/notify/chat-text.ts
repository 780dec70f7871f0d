// A message as plain text, as chats show it.
import { CHAT_TEXT } from '#contract/limits.ts'
import type { OutgoingMessage } from './channel.ts'

/** The words in the form of domain §7.7, 【策略】動作 in the first line, and where to look. */
export function textOf({
  words: { title, lines },
  url,
  kind,
}: Pick<OutgoingMessage, 'words' | 'url' | 'kind'>): string {
  // An organization may have the sign in its name.
  const cut = kind === 'signal' || kind === 'alarm' ? title.lastIndexOf(' · ') : -1
  const head = cut < 0 ? title : `【${title.slice(0, cut)}】${title.slice(cut + 3)}`
  const text = [head, ...lines].join('\n')
  const room = CHAT_TEXT - url.length - 2
  return `${text.length > room ? `${text.slice(0, room).replace(/[\uD800-\uDBFF]$/, '')}…` : text}\n${url}`
}
