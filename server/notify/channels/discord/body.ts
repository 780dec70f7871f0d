// A notification as Discord's message: plain text whatever the names in it look like, nobody called by it, within its limits.
import type { OutgoingMessage } from '../../channel.ts'

/** Discord's own: characters of `content`. */
const ROOM = 2_000
/** No previews of links. */
const SUPPRESS_EMBEDS = 4

export interface DiscordBody {
  readonly content: string
  /** Nobody: a strategy may be named @everyone. */
  readonly allowed_mentions: { readonly parse: readonly string[] }
  readonly flags: number
}

export function bodyOf({ words, url }: OutgoingMessage): DiscordBody {
  const link = `[在凌波查看](<${url}>)`
  const title = `**${cut(plain(words.title), 300)}**`
  const text = words.lines.map((line) => plain(line)).join('\n')
  const left = ROOM - title.length - link.length - 2
  return {
    content: [title, ...(text === '' ? [] : [cut(text, left)]), link].join('\n'),
    allowed_mentions: { parse: [] },
    flags: SUPPRESS_EMBEDS,
  }
}

/** Every sign that Discord would take for a form, a link or a name, as itself; what is harmless stays bare, for previews on phones. */
function plain(text: string): string {
  return text
    .replace(/[\\*_~`|<>[\]]|@(?=\w)|:(?=\/\/|[a-z_])/gi, '\\$&')
    .replace(/^[ \t]{0,8}(?:[-+#]|\d{1,9}\.)/gm, (start) => start.replace(/.$/, '\\$&'))
}

/** At most so many, never in the middle of a letter or of an escape. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text
  let short = ''
  for (const part of text.match(/\\?./gsu) ?? []) {
    if (short.length + part.length > most - 1) break
    short += part
  }
  return `${short}…`
}
