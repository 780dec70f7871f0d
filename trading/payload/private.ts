// Fields that are never stored: second factors, accounts, passwords (domain §4.5, rules 1 and 5).
import { compact, keyName } from './vocabulary/spell.ts'

const set = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/).map(compact))
const SECRETS = set(
  'secret passphrase token key webhook_secret secret_key access_key auth auth_key auth_token',
)
const PRIVATE = set(
  'account accounts account_id account_no account_name account_number acct acc 帳號 帳戶 password passwd pwd pass_word pin api_key api_secret person_id id_number 密碼 身分證字號 secret_token bearer authorization ca_passwd cert_password',
)

/** Whether a field is a second factor for the webhook. */
export function isSecret(key: string): boolean {
  return SECRETS.has(compact(keyName(key)))
}

/** Whether a field must never be stored: secrets, accounts, passwords. */
export function isPrivate(key: string): boolean {
  const name = compact(keyName(key))
  return SECRETS.has(name) || PRIVATE.has(name)
}

/** The value without private fields, and the first secret found on its outer level. */
export function redact(tree: Record<string, unknown>): {
  secret: string | null
  clean: Record<string, unknown>
  changed: boolean
} {
  let secret: string | null = null
  for (const [key, value] of Object.entries(tree))
    if (secret === null && isSecret(key) && (typeof value === 'string' || typeof value === 'number'))
      secret = String(value)
  if (!hasPrivate(tree)) return { secret, clean: tree, changed: false }
  return { secret, clean: strip(tree) as Record<string, unknown>, changed: true }
}

function hasPrivate(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(hasPrivate)
  for (const key in value)
    if (isPrivate(key) || hasPrivate((value as Record<string, unknown>)[key])) return true
  return false
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => !isPrivate(key))
  return Object.fromEntries(kept.map(([key, inner]) => [key, strip(inner)]))
}

const LOOSE =
  /(["']?(?:secret|passphrase|token|key|account|acct|password|api_key|apikey)["']?\s{0,3}[:=]\s{0,3}["']?)[^"',;&\s}]{1,200}/gi

/** A body nobody could read, with what looks like a secret blotted out. */
export function blot(body: string): string {
  return body.replace(LOOSE, '$1***')
}
