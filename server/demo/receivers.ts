// What is asked of one of the demonstration's receivers, and what it replies.

import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

interface DemoRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
  /** Whoever asked has gone. */
  readonly left: AbortSignal
}
interface DemoReply {
  readonly status: number
  readonly body: unknown
}

// What arrived at the demonstration's receivers, newest first, and what somebody there answers.

export const DEMO_CHANNELS = ['telegram', 'line', 'discord', 'webhook'] as const
export type DemoChannel = (typeof DEMO_CHANNELS)[number]

export interface Handed {
  readonly channel: DemoChannel
  /** ISO instant. */
  readonly at: string
  readonly text: string
  /** Buttons under it, and where they lead. */
  readonly links: readonly { readonly label: string; readonly url: string }[]
  /** As it came, for those who write programs. */
  readonly raw: string
}

const KEPT = 40

export class Tray {
  readonly #handed = new Map<DemoChannel, Handed[]>()
  /** How a channel is spoken to from the page; channels that only listen have nobody. */
  readonly speakers = new Map<DemoChannel, (text: string) => void>()

  put(channel: DemoChannel, text: string, raw: unknown, links: Handed['links'] = []): void {
    const one = { channel, at: new Date().toISOString(), text, links, raw: JSON.stringify(raw, null, 2) }
    this.#handed.set(channel, [one, ...this.of(channel)].slice(0, KEPT))
  }

  of(channel: DemoChannel): readonly Handed[] {
    return this.#handed.get(channel) ?? []
  }
}

// Stand in for a Discord channel and for somebody's own program in the demonstration: they only listen.

/** The address of the demonstration's Discord webhook, as a person copies it out of Discord. */
export const DEMO_DISCORD = `https://discord.com/api/webhooks/100000000000000001/${'demo'.repeat(17)}`

function demoDiscord(tray: Tray): (ask: DemoRequest) => Promise<DemoReply> {
  return async ({ method, body }) => {
    if (method === 'GET')
      return { status: 200, body: { id: '100000000000000001', type: 1, name: '盤中訊號' } }
    const { content = '' } = body as { content?: string }
    // Our own message ends in one link: its words between the last brackets, its address behind them.
    const from = content.lastIndexOf('[')
    const middle = content.indexOf('](<', from)
    const is_link = from >= 0 && middle > from
    const text = (is_link ? content.slice(0, from) : content)
      .replace(/\\(.)/g, '$1')
      .replaceAll('**', '')
      .trim()
    const label = content.slice(from + 1, middle)
    const url = content.slice(middle + 3, content.lastIndexOf('>)'))
    tray.put('discord', text, body, is_link ? [{ label, url }] : [])
    return { status: 200, body: { id: String(Date.now()), content } }
  }
}

/** Says of each message what a program would look at first; whether it is genuine only the owner of the secret can tell. */
function demoRobot(tray: Tray): (ask: DemoRequest) => Promise<DemoReply> {
  return async ({ headers, body }) => {
    const { type = '?', data } = body as { type?: string; data?: Record<string, unknown> | null }
    const record = data
      ? `${data['symbol']} ${data['action']} ${data['quantity'] ?? ''} @ ${data['price'] ?? '—'}`
      : ''
    const signed = Object.fromEntries(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, headers[name]]),
    )
    tray.put('webhook', `${type} ${record}`.trim(), { headers: signed, body })
    return { status: 204, body: null }
  }
}

// The demonstration's receivers on one port of this machine: where Telegram, LINE, Discord and a program of one's own would be.

// Stands in for LINE's Messaging API in the demonstration: one friend of the official account, whose words are typed on the page.

const FRIEND = `U${'1'.repeat(32)}`
/** Messages a month of the largest plan: with the free one's 200 the demonstration is silent within the hour. */
const MONTH = 6_000

function demoLine(
  tray: Tray,
  there: { readonly secret: string; readonly app_url: string },
): (ask: DemoRequest) => Promise<DemoReply> {
  let sent = 0
  const tell = async (text: string) => {
    const event = {
      type: 'message',
      mode: 'active',
      timestamp: Date.now(),
      source: { type: 'user', userId: FRIEND },
      webhookEventId: randomUUID(),
      deliveryContext: { isRedelivery: false },
      replyToken: randomUUID().replaceAll('-', ''),
      message: { id: String(Date.now()), type: 'text', text },
    }
    const body = JSON.stringify({ destination: `U${'0'.repeat(32)}`, events: [event] })
    const signature = createHmac('sha256', there.secret).update(body).digest('base64')
    const answer = await fetch(`${there.app_url}/api/v1/line/updates`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-line-signature': signature },
      body,
    })
    if (!answer.ok) tray.put('line', `（送不到凌波：${answer.status}）`, event)
  }
  tray.speakers.set('line', (text) => {
    tray.put('line', `（我）${text}`, { text })
    tell(text).catch(() => tray.put('line', '（送不到凌波）', { text }))
  })
  return async ({ path, body }) => {
    const said = body as { messages?: { text?: string; altText?: string }[] }
    if (/\/message\/(push|reply)$/.test(path)) {
      if (path.endsWith('push')) sent++
      const texts = (said.messages ?? []).map(({ text, altText }) => text ?? altText ?? '')
      tray.put('line', texts.join('\n'), said)
      return { status: 200, body: { sentMessages: [{ id: String(Date.now()) }] } }
    }
    if (path.endsWith('/quota')) return { status: 200, body: { type: 'limited', value: MONTH } }
    if (path.endsWith('/consumption')) return { status: 200, body: { totalUsage: sent } }
    if (path.includes('/profile/'))
      return { status: 200, body: { userId: FRIEND, displayName: '林小波', language: 'zh-Hant' } }
    if (path.endsWith('/info'))
      return { status: 200, body: { userId: `U${'0'.repeat(32)}`, basicId: '@lingbo', displayName: '凌波' } }
    return { status: 200, body: {} }
  }
}

// Stands in for Telegram's Bot API in the demonstration: one chat with one person, whose words are typed on the page.

const PERSON = { id: 700_000_001, is_bot: false, first_name: '林小波', username: 'linxiaobo' }
const CHAT = { id: PERSON.id, type: 'private', first_name: PERSON.first_name, username: PERSON.username }
const BOT = { id: 100_000_001, is_bot: true, first_name: '凌波', username: 'lingbo_demo_bot' }
/** At most so long is an empty question held open. */
const HELD_S = 20

function demoTelegram(tray: Tray): (ask: DemoRequest) => Promise<DemoReply> {
  // Numbers go on where those before the last start ended: the bot remembers how far it read.
  let number = Math.floor(Date.now() / 1_000)
  let updates: { update_id: number }[] = []
  let wake = () => {}
  const well = (result: unknown): DemoReply => ({ status: 200, body: { ok: true, result } })
  tray.speakers.set('telegram', (text) => {
    const date = Math.floor(Date.now() / 1_000)
    const entities = text.startsWith('/')
      ? [{ type: 'bot_command', offset: 0, length: text.split(' ')[0]?.length ?? 0 }]
      : []
    const message = { message_id: ++number, date, chat: CHAT, from: PERSON, text, entities }
    updates.push({ update_id: ++number, message } as { update_id: number })
    tray.put('telegram', `（我）${text}`, message)
    wake()
  })
  const waiting = (seconds: number, left: AbortSignal) =>
    new Promise<void>((next) => {
      const timer = setTimeout(next, seconds * 1_000)
      wake = () => {
        clearTimeout(timer)
        next()
      }
      left.addEventListener('abort', wake, { once: true })
    })

  return async ({ path, body, left }) => {
    const method = path.split('/').at(-1)
    const said = body as Record<string, unknown>
    switch (method) {
      case 'getMe':
        return well(BOT)
      case 'getUpdates': {
        const from = Number(said['offset'] ?? 0)
        updates = updates.filter(({ update_id }) => update_id >= from)
        if (updates.length === 0) await waiting(Math.min(Number(said['timeout'] ?? 0), HELD_S), left)
        return well(updates)
      }
      case 'sendMessage': {
        tray.put('telegram', String(said['text'] ?? ''), said, buttons(said['reply_markup']))
        const date = Math.floor(Date.now() / 1_000)
        return well({ message_id: ++number, date, chat: CHAT, from: BOT, text: said['text'] })
      }
      default:
        return well(true)
    }
  }
}

function buttons(markup: unknown): { label: string; url: string }[] {
  const { inline_keyboard = [] } = (markup ?? {}) as { inline_keyboard?: { text: string; url?: string }[][] }
  return inline_keyboard.flat().flatMap(({ text, url }) => (url ? [{ label: text, url }] : []))
}

export interface Stand {
  readonly tray: Tray
  readonly url: string
  close(): Promise<void>
}

const MOST_BYTES = 256 * 1024

/** Opens it on `port`, or on any where that is taken. */
export async function openStand(
  port: number,
  line: { readonly secret: string; readonly app_url: string },
): Promise<Stand> {
  const tray = new Tray()
  const places: Record<string, (ask: DemoRequest) => Promise<DemoReply>> = {
    telegram: demoTelegram(tray),
    line: demoLine(tray, line),
    discord: demoDiscord(tray),
    robot: demoRobot(tray),
  }
  const http = createServer((request, response) => {
    const chunks: Buffer[] = []
    let size = 0
    const ends = new AbortController()
    response.once('close', () => ends.abort())
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MOST_BYTES) request.destroy()
      else chunks.push(chunk)
    })
    request.once('end', () => {
      const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://stand')
      const body = read(Buffer.concat(chunks).toString('utf8'), searchParams)
      const place = places[path.split('/')[1] ?? '']
      const ask = { method: request.method ?? '', path, headers: request.headers, body, left: ends.signal }
      const answered = place ? place(ask) : Promise.resolve({ status: 404, body: null })
      answered.then(
        (reply) => {
          response.writeHead(reply.status, { 'content-type': 'application/json; charset=utf-8' })
          response.end(reply.body === null ? undefined : JSON.stringify(reply.body))
        },
        () => response.writeHead(500).end(),
      )
    })
  })
  const listens = (at: number) =>
    new Promise<void>((ready, fail) => {
      http.once('error', fail)
      http.listen(at, '127.0.0.1', ready)
    })
  await listens(port).catch(() => listens(0))
  return {
    tray,
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    close: () =>
      new Promise((closed) => {
        http.close(() => closed())
        http.closeAllConnections()
      }),
  }
}

/** JSON, a form, or nothing: what came as a form or in the address is read as its fields. */
function read(text: string, query: URLSearchParams): unknown {
  if (text === '') return Object.fromEntries(query)
  try {
    return JSON.parse(text)
  } catch {
    return Object.fromEntries(new URLSearchParams(text))
  }
}
