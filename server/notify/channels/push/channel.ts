// 推播: Web Push to the devices of a person (RFC 8030, 8291, 8292).
import { createHash } from 'node:crypto'
import webpush from 'web-push'
import { PUSH_BYTES } from '#contract/limits.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { App } from '../../../context.ts'
import { OutgoingError } from '../../../outgoing.ts'
import type { Channel, OutgoingMessage, Receiver, SendResult } from '../../channel.ts'

/** What a subscription is worth to us beside its address. */
export interface SubscriptionConfig {
  readonly keys: { readonly p256dh: string; readonly auth: string }
  /** Our public key when it was made: a service takes no other sender for it. */
  readonly sender: string
}

/** How long a service keeps a message for a device that is away. */
const TTL_S = { signal: 86_400, alarm: 86_400, announcement: 7 * 86_400, organization: 7 * 86_400, test: 60 }
const PATIENCE_MS = 10_000

export const push: Channel = {
  id: 'push',
  receivers: 'rows',
  gathers: true,
  rests: true,
  confirms: false,
  badge: true,
  pace: { at_once: 64, per_receiver_ms: 0, per_second: 1_000 },
  unavailable: () => null,
  async send(app, to, message, signal) {
    const config = to.config as unknown as SubscriptionConfig
    if (config.sender !== app.vapid.public)
      return {
        kind: 'lost',
        state: 'failing',
        reason: '這台伺服器換了推播金鑰，請在那台裝置上打開凌波一次',
      }
    let result: SendResult = { kind: 'refused', reason: '內容太長，放不進推播', ours: true }
    for (const payload of payloadsOf(to.uid, message)) {
      const status = await post(app, to, config, payload, message, signal)
      result = status.result
      if (status.code !== 413) break
    }
    return result
  },
}

async function post(
  app: App,
  to: Receiver,
  { keys }: SubscriptionConfig,
  payload: string,
  message: OutgoingMessage,
  signal: AbortSignal,
): Promise<{ code: number; result: SendResult }> {
  const { vapid, outgoing, now } = app
  const { endpoint, headers, body } = webpush.generateRequestDetails(
    { endpoint: to.address, keys },
    payload,
    {
      headers: { Authorization: signedFor(vapid, new URL(to.address).origin) },
      contentEncoding: 'aes128gcm',
      TTL: TTL_S[message.kind],
      urgency: message.kind === 'signal' || message.kind === 'test' || message.urgent ? 'high' : 'normal',
      // A device that was away is told the newest of a strategy; the others are in its list.
      ...(message.kind === 'signal' && { topic: topicOf(to.uid, tagOf(message)) }),
    },
  )
  try {
    const answer = await outgoing.send({
      url: endpoint,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      body,
      timeout_ms: PATIENCE_MS,
      signal,
    })
    const { status } = answer
    return { code: status, result: resultOf(status, answer.headers['retry-after'], now()) }
  } catch (error) {
    if (error instanceof OutgoingError) return { code: 0, result: resultOfFailure(error) }
    throw error
  }
}

/** One signature serves every message to a service for an hour: it names the service and us, nothing else (RFC 8292 §2). */
function signedFor(vapid: App['vapid'], origin: string): string {
  const of_service = signed.get(vapid) ?? new Map<string, { at: number; word: string }>()
  signed.set(vapid, of_service)
  const cached = of_service.get(origin)
  if (cached && Date.now() - cached.at >= 0 && Date.now() - cached.at < SIGNED_MS) return cached.word
  if (of_service.size >= SERVICES_MOST) of_service.clear()
  const { Authorization } = webpush.getVapidHeaders(
    origin,
    vapid.subject,
    vapid.public,
    vapid.private,
    'aes128gcm',
  )
  of_service.set(origin, { at: Date.now(), word: Authorization })
  return Authorization
}
const signed = new WeakMap<App['vapid'], Map<string, { at: number; word: string }>>()
const SIGNED_MS = 3_600_000
const SERVICES_MOST = 1_000

/** Tells a push service nothing but that two messages are about the same thing. */
function topicOf(uid: string, tag: string): string {
  return createHash('sha256').update(`${uid} ${tag}`).digest('base64url').slice(0, 32)
}

// What the answer of a push service means for a delivery (RFC 8030; fault F25).

/** Nobody waits longer for a service that says "later". */
const LATEST_MS = 3_600_000

/** 413 is not here: the sender tries a shorter form first. */
function resultOf(status: number, retry_after: string | undefined, now: number): SendResult {
  if (status >= 200 && status < 300) return { kind: 'sent' }
  if (status === 404 || status === 410)
    return { kind: 'lost', state: 'gone', reason: '這台裝置的推播訂閱已失效，請在那台裝置上重新開啟推播' }
  const after_ms = waitOf(retry_after, now)
  const later = (reason: string): SendResult => ({
    kind: 'again',
    reason,
    ...(after_ms !== null && { after_ms }),
  })
  if (status === 429) return later('推播服務要我們慢一點，稍後再試')
  if (status >= 500) return later(`推播服務暫時無法使用（${status}），稍後再試`)
  // A clock that runs wrong is refused like a wrong key: neither is the device's fault.
  if (status === 401 || status === 403)
    return later(`推播服務不接受這台伺服器的簽章（${status}）。請檢查伺服器的時間與推播金鑰`)
  if (status === 413) return { kind: 'refused', reason: '推播服務說內容太長（413）', ours: true }
  return { kind: 'refused', reason: `推播服務拒絕了這則推播（${status}）` }
}

/** No answer came. */
function resultOfFailure({ reason, may_work_later, problem }: OutgoingError): SendResult {
  if (may_work_later || problem === 'certificate') return { kind: 'again', reason: `推播服務：${reason}` }
  return { kind: 'lost', state: 'failing', reason: `推播服務：${reason}` }
}

/** Retry-After, in seconds or as a date; null when there is none that makes sense. */
function waitOf(header: string | undefined, now: number): number | null {
  if (header === undefined) return null
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, LATEST_MS) : null
}

// What is inside a push message (wire.md §8): a Declarative Web Push that a browser can show by itself, and the record for the worker.

/** The text of a shortened message. */
const BODY_LENGTH = 240

interface Cut {
  body(text: string): string
  record(record: SignalRecord): SignalRecord | null
}

const cut = (text: string) => {
  const letters = [...text]
  return letters.length > BODY_LENGTH ? `${letters.slice(0, BODY_LENGTH - 1).join('')}…` : text
}

/** From whole to shortest. What the record loses, the device reads from the feed as soon as it is online. */
const CUTS: readonly Cut[] = [
  { body: (text) => text, record: (record) => record },
  { body: cut, record: (record) => ({ ...record, note: null }) },
  {
    body: cut,
    record: (record) => ({ ...record, note: null, reason: null, external_id: null, symbol_raw: null }),
  },
  { body: cut, record: () => null },
  { body: () => '', record: () => null },
]

/** What a device shows in one place: a newer signal of a strategy takes the place of the older one. */
function tagOf({ kind, strategy_id, notification_id, key }: OutgoingMessage): string {
  if (kind === 'test') return 'test'
  if (kind !== 'signal') return `${kind}:${notification_id ?? key}`
  return strategy_id === null ? 'signals' : `strategy:${strategy_id}`
}

/** The message in ever shorter forms, those that are too long left out. */
export function payloadsOf(uid: string, message: OutgoingMessage): string[] {
  const { words, record, read = [] } = message
  const forms = CUTS.map(({ body, record: shortened }) =>
    JSON.stringify({
      web_push: 8030,
      notification: {
        title: words.title,
        body: body(words.lines.join('\n')),
        navigate: message.url,
        lang: 'zh-Hant',
        tag: tagOf(message),
      },
      app_badge: message.unread,
      mutable: true,
      lingbo: {
        v: 1,
        uid,
        ctx: message.ctx,
        notification_id: message.notification_id,
        delivery_id: message.key,
        kind: message.kind,
        at: message.at,
        record: record && shortened(record),
        ...(read.length > 0 && { read }),
      },
    }),
  )
  return [...new Set(forms)].filter((form) => Buffer.byteLength(form) <= PUSH_BYTES)
}
