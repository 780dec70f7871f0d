// 推播: Web Push to the devices of a person (RFC 8030, 8291, 8292).
import { createHash } from 'node:crypto'
import webpush from 'web-push'
import type { App } from '../../../context.ts'
import { OutgoingError } from '../../../outgoing/failure.ts'
import type { Channel, OutgoingMessage, Receiver, SendResult } from '../../channel.ts'
import { resultOf, resultOfFailure } from './answer.ts'
import { payloadsOf, tagOf } from './payload.ts'

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
  const known = signed.get(vapid) ?? new Map<string, { at: number; word: string }>()
  signed.set(vapid, known)
  const kept = known.get(origin)
  if (kept && Date.now() - kept.at >= 0 && Date.now() - kept.at < SIGNED_MS) return kept.word
  if (known.size >= SERVICES_MOST) known.clear()
  const { Authorization } = webpush.getVapidHeaders(
    origin,
    vapid.subject,
    vapid.public,
    vapid.private,
    'aes128gcm',
  )
  known.set(origin, { at: Date.now(), word: Authorization })
  return Authorization
}
const signed = new WeakMap<App['vapid'], Map<string, { at: number; word: string }>>()
const SIGNED_MS = 3_600_000
const SERVICES_MOST = 1_000

/** Tells a push service nothing but that two messages are about the same thing. */
function topicOf(uid: string, tag: string): string {
  return createHash('sha256').update(`${uid} ${tag}`).digest('base64url').slice(0, 32)
}
