// A push service with browsers behind it: gives subscriptions, checks who sends and how, and reads every message.
import { randomUUID } from 'node:crypto'
import type { Certificate } from './certificate.ts'
import { type Arrival, type Reply, type Scripted, startScripted } from './scripted.ts'
import { decrypt, makeReceiver, type Receiver, readVapid } from './web-push.ts'

export interface PushSubscriptionJson {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** A message as the browser got it. */
export interface Pushed {
  readonly endpoint: string
  readonly text: string
  readonly ttl: number
  readonly urgency: string
  readonly topic: string | null
  readonly at: number
}

export interface PushService extends Omit<Scripted, 'url'> {
  readonly origin: string
  readonly messages: Pushed[]
  /** A new browser; with `sender` (base64url) only messages signed by that key are taken. */
  subscribe(sender?: string): PushSubscriptionJson
  /** The browser threw the subscription away: 410 from now on. */
  unsubscribe(endpoint: string): void
}

const URGENCIES = ['very-low', 'low', 'normal', 'high']
const MOST = 4_096

export async function startPushService(
  options: { certificate?: Certificate; host?: string; port?: number } = {},
): Promise<PushService> {
  const browsers = new Map<string, Receiver & { sender: string | null; gone: boolean }>()
  const messages: Pushed[] = []

  /** Statuses as RFC 8030 and the services say them. */
  const take = (arrival: Arrival): Reply => {
    const { headers, body, path, method, at } = arrival
    const no = (status: number, ...why: string[]): Reply => {
      wrong.push(...why.map((line) => `push: ${line}`))
      return { status, body: why.join('; ') }
    }
    const browser = browsers.get(path)
    if (method !== 'POST') return no(405, `${method} instead of POST`)
    // Both are what happens to every sender, and no fault of its message.
    if (!browser) return { status: 404, body: 'no such subscription' }
    if (browser.gone) return { status: 410, body: 'unsubscribed' }
    const vapid = readVapid(headers.authorization ?? '', origin, at)
    if (vapid.wrong.length > 0) return no(401, ...vapid.wrong)
    if (browser.sender !== null && browser.sender !== vapid.key) return no(403, 'signed by another sender')
    const ttl = headers['ttl']
    if (typeof ttl !== 'string' || !/^\d+$/.test(ttl)) return no(400, 'no TTL')
    const urgency = headers['urgency'] ?? 'normal'
    if (typeof urgency !== 'string' || !URGENCIES.includes(urgency))
      return no(400, `urgency ${String(urgency)}`)
    const topic = headers['topic'] ?? null
    if (topic !== null && (typeof topic !== 'string' || !/^[\w-]{1,32}$/.test(topic)))
      return no(400, `topic ${String(topic)}`)
    if (headers['content-encoding'] !== 'aes128gcm') return no(400, 'not encrypted as aes128gcm')
    if (body.length > MOST) return no(413, `${body.length} bytes`)
    try {
      messages.push({
        endpoint: origin + path,
        text: decrypt(body, browser),
        ttl: Number(ttl),
        urgency,
        topic,
        at,
      })
    } catch (error) {
      // The service cannot see it; the browser drops the message, and nobody is told.
      wrong.push(`push: not readable: ${String(error)}`)
    }
    return { status: 201, headers: { location: `${origin}/message/${randomUUID()}` } }
  }

  const { url: origin, ...server } = await startScripted({
    ...options,
    name: () => 'push',
    take,
    refuse: ({ status, retry_after }) => ({
      status,
      ...(retry_after !== undefined && { headers: { 'retry-after': String(retry_after) } }),
      body: `fault ${status}`,
    }),
  })
  const { wrong } = server
  return {
    ...server,
    origin,
    messages,
    subscribe(sender) {
      const path = `/push/${randomUUID()}`
      const receiver = makeReceiver()
      browsers.set(path, { ...receiver, sender: sender ?? null, gone: false })
      return { endpoint: origin + path, keys: receiver.keys }
    },
    unsubscribe(endpoint) {
      const browser = browsers.get(new URL(endpoint).pathname)
      if (browser) browser.gone = true
    },
  }
}
