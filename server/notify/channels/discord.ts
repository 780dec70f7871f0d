// Discord: a webhook of a channel there. Whoever has its address may write, so it is asked once when it is entered.
import type { App } from '../../context.ts'
import { OutgoingError } from '../../outgoing.ts'
import type { Channel, CheckedAddress, OutgoingMessage, SendResult } from '../channel.ts'

/** A webhook is let through five times in two seconds, and its channel thirty times a minute. */
const PER_RECEIVER_MS = 2_000

export const discord: Channel = {
  id: 'discord',
  receivers: 'rows',
  gathers: true,
  rests: true,
  confirms: true,
  pace: { at_once: 8, per_receiver_ms: PER_RECEIVER_MS, per_second: 25 },
  unavailable: () => null,
  typed: { check, shown: (address) => `discord.com/api/webhooks/${address.split('/')[0]}/…`, signed: false },
  async send(app, to, message, signal) {
    try {
      const { status, headers, body } = await app.outgoing.send({
        // With wait it answers when the message stands in the channel, not when it was taken in.
        url: urlOf(app, to.address, { wait: 'true' }),
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(bodyOf(message)),
        signal,
      })
      return resultOf(status, body, headers['retry-after'])
    } catch (error) {
      if (error instanceof OutgoingError) return { kind: 'again', reason: `Discord：${error.reason}` }
      throw error
    }
  },
}

/** What Discord's answer means. */
export function resultOf(status: number, body: string, retry_after?: string): SendResult {
  if (status >= 200 && status < 300) return { kind: 'sent' }
  if (status === 429) {
    const answered = read(body)
    const seconds = Number(answered['retry_after'] ?? retry_after)
    return {
      kind: 'again',
      reason: 'Discord 要求放慢',
      ...(seconds >= 0 && { after_ms: Math.ceil(seconds * 1_000) }),
      ...(answered['global'] === true && { all: true }),
    }
  }
  if (status === 401 || status === 403 || status === 404)
    return { kind: 'lost', state: 'gone', reason: 'Discord 的這個 Webhook 已被刪除或換過網址' }
  if (status < 500 && status !== 408) return { kind: 'refused', reason: `Discord 不收這則訊息（${status}）` }
  return { kind: 'again', reason: `Discord 暫時無法使用（${status}）` }
}

/** `<id>/<token>`, and the thread where one is named: where Discord stands is the server's own setting. */
const PATH = /\/api(?:\/v\d{1,2})?\/webhooks\/(\d{15,25})\/([\w-]{20,120})\/?$/
const HOSTS = new Set(['discord.com', 'discordapp.com', 'canary.discord.com', 'ptb.discord.com'])

async function check(app: App, typed: string): Promise<CheckedAddress> {
  const wrong = '要貼上 Discord 頻道設定裡的 Webhook 網址，像 https://discord.com/api/webhooks/…'
  const written = typed.trim()
  if (!URL.canParse(written)) return { wrong }
  const url = new URL(written)
  const theirs = url.protocol === 'https:' && HOSTS.has(url.hostname) && url.port === '' && !url.username
  if (!theirs && !written.startsWith(`${app.config.discord_api_root}/`)) return { wrong }
  const [, id, token] = PATH.exec(url.pathname) ?? []
  if (id === undefined) return { wrong }
  const thread = url.searchParams.get('thread_id')
  if (thread !== null && !/^\d{15,25}$/.test(thread)) return { wrong }
  const address = `${id}/${token}${thread === null ? '' : `?thread_id=${thread}`}`
  try {
    const answer = await app.outgoing.send({ method: 'GET', url: urlOf(app, `${id}/${token}`) })
    if (answer.status === 401 || answer.status === 404)
      return { wrong: 'Discord 沒有這個 Webhook：可能已刪除，或網址少複製了一段' }
    if (answer.status !== 200)
      return { wrong: `Discord 現在無法確認這個網址（${answer.status}），請稍後再試` }
    const { name } = read(answer.body)
    return {
      address,
      name: typeof name === 'string' && name !== '' ? [...name].slice(0, 80).join('') : 'Discord',
    }
  } catch (error) {
    if (error instanceof OutgoingError) return { wrong: `Discord：${error.reason}` }
    throw error
  }
}

function urlOf({ config }: Pick<App, 'config'>, address: string, query: Record<string, string> = {}): string {
  const url = new URL(`${config.discord_api_root}/api/webhooks/${address}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

function read(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    // Whatever stands before Discord answers in HTML when it is busy.
    return {}
  }
}

// A notification as Discord's message: plain text whatever the names in it look like, nobody called by it, within its limits.

/** Discord's own: characters of `content`. */
const ROOM = 2_000
/** No previews of links. */
const SUPPRESS_EMBEDS = 4

interface DiscordBody {
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
