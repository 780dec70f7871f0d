// 外送 Webhook: records to somebody's own program, signed as Standard Webhooks says. Only signals go there: a robot has no use for
// announcements, and whoever follows one must be able to trust that every message is a record. Nothing is gathered, nothing rests.
import { createHmac, randomBytes } from 'node:crypto'
import { ONLY_KINDS } from '#contract/channels.ts'
import type { App } from '../../context.ts'
import { OutgoingError } from '../../outgoing.ts'
import type { Channel, CheckedAddress, OutgoingMessage, SendResult } from '../channel.ts'

export const webhook: Channel = {
  id: 'webhook',
  kinds: ONLY_KINDS.webhook,
  receivers: 'rows',
  gathers: false,
  rests: false,
  confirms: true,
  pace: { at_once: 32, per_receiver_ms: 0, per_second: 1_000 },
  unavailable: () => null,
  typed: { check, shown, signed: true },
  async send(app, to, message, signal) {
    const body = bodyOf(message)
    if (body === null) return { kind: 'refused', reason: '外送 Webhook 只送訊號的紀錄', ours: true }
    const now = app.now()
    const timestamp = Math.floor(now / 1_000)
    try {
      const { status, headers } = await app.outgoing.send({
        url: to.address,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'webhook-id': message.key,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signaturesOf(secretsAt(to.config, now), message.key, timestamp, body),
        },
        body,
        signal,
      })
      return resultOf(status, headers['retry-after'], now)
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error
      const { reason, problem } = error
      // A name that leads inside now led outside when it was entered: it is not asked again for this message.
      return problem === 'forbidden' || problem === 'plain' || problem === 'address'
        ? { kind: 'refused', reason }
        : { kind: 'again', reason }
    }
  },
}

/** What the receiver's answer means: 2xx is the only yes, 410 says never again (Standard Webhooks). */
export function resultOf(status: number, retry_after: string | undefined, now_ms: number): SendResult {
  if (status >= 200 && status < 300) return { kind: 'sent' }
  if (status === 410) return { kind: 'lost', state: 'gone', reason: '對方說不再收（410）' }
  if (status >= 300 && status < 400)
    return { kind: 'refused', reason: `對方要轉到別的網址（${status}），外送不跟著轉，請直接填最後的網址` }
  const after_ms = afterOf(retry_after, now_ms)
  const reason = status === 429 ? '對方要求放慢（429）' : `對方沒有收下（${status}）`
  return { kind: 'again', reason, ...(after_ms !== null && { after_ms }) }
}

/** Seconds or a date, at most a day. */
function afterOf(retry_after: string | undefined, now_ms: number): number | null {
  if (retry_after === undefined) return null
  const ms = /^\d{1,9}$/.test(retry_after) ? Number(retry_after) * 1_000 : Date.parse(retry_after) - now_ms
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), 86_400_000) : null
}

async function check(app: App, typed: string): Promise<CheckedAddress> {
  const written = typed.trim()
  if (!URL.canParse(written)) return { wrong: '要是完整的網址，像 https://robot.example.com/lingbo' }
  const url = new URL(written)
  if (url.username !== '' || url.password !== '')
    return { wrong: '網址裡不能有帳號密碼：每則訊息都有簽章可驗證' }
  url.hash = ''
  const problem = await app.outgoing.check(url.href)
  return problem === null ? { address: url.href, name: url.host } : { wrong: problem.reason }
}

/** The query may be what keeps strangers out. */
function shown(address: string): string {
  const { origin, pathname, search } = new URL(address)
  return `${origin}${pathname}${search === '' ? '' : '?…'}`
}

// What a robot gets: the record, or a test that carries none, so that nothing can be mistaken for a signal.

/** The exact text that is signed; null when the message is none for a robot. */
export function bodyOf({ kind, record, at }: OutgoingMessage): string | null {
  if (kind === 'test') return JSON.stringify({ type: 'test', timestamp: at, data: null })
  if (kind !== 'signal' || record === null) return null
  // As the event stream names them: `source` says void or correction, `refers_to` which record.
  const voided = record.source === 'void' || record.source === 'correction'
  return JSON.stringify({ type: voided ? 'signal.voided' : 'signal.created', timestamp: at, data: record })
}

// Signatures of Standard Webhooks (v1), and the secrets they are made with; after a change both sign for a day.

const PREFIX = 'whsec_'
const BYTES = 32
const GRACE_MS = 86_400_000

/** What a receiver keeps of its secrets. */
interface Secrets {
  readonly secret: string
  /** The one before, and until when it signs too. */
  readonly old?: { readonly secret: string; readonly until: string }
}

export function newSecret(): string {
  return PREFIX + randomBytes(BYTES).toString('base64')
}

/** A new secret in the place of the one that was. */
export function rotated(secrets: Secrets, now_ms: number): Secrets {
  const until = new Date(now_ms + GRACE_MS).toISOString()
  return { secret: newSecret(), old: { secret: secrets.secret, until } }
}

/** The secrets of a receiver; null when it has none. */
export function secretsOf(config: Readonly<Record<string, unknown>>): Secrets | null {
  return typeof config['secret'] === 'string' ? (config as unknown as Secrets) : null
}

/** Those that sign now, the newest first. */
function secretsAt(config: Readonly<Record<string, unknown>>, now_ms: number): string[] {
  const secrets = secretsOf(config)
  if (!secrets) return []
  const { secret, old } = secrets
  return old !== undefined && Date.parse(old.until) > now_ms ? [secret, old.secret] : [secret]
}

/** The header: one signature of each secret. `timestamp` in seconds. */
export function signaturesOf(
  secrets: readonly string[],
  id: string,
  timestamp: number,
  body: string,
): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')
}
