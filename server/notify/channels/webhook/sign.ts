// Signatures of Standard Webhooks (v1), and the secrets they are made with; after a change both sign for a day.
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const BYTES = 32
const GRACE_MS = 86_400_000

/** What a receiver keeps of its secrets. */
export interface Secrets {
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
export function secretsAt(config: Readonly<Record<string, unknown>>, now_ms: number): string[] {
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
