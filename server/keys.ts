// The server's own secrets: made on the first start, kept as files only the owner may read.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readOrMake } from './key-file.ts'

const BYTES = 32
const IV = 12
const TAG = 16
const VERSION = 'v1.'

export interface Keys {
  /** Signs access tokens (HS256). */
  readonly jwt: Uint8Array
  /** Encrypts a text (AES-256-GCM, fresh nonce): `v1.` + base64url(nonce, tag, cipher). */
  seal(text: string): string
  /** HMAC-SHA-256 in hex: two texts can be told apart by it, but not guessed from it without the key. */
  mark(text: string): string
  /** A key for one use only, made from the stored one: what one use signs is worth nothing in another. */
  purpose(name: string): Uint8Array
  /** The text of a sealed one; throws when it was altered or sealed with another key. */
  unseal(cipher: string): string
}

/** Opens the keys in `data_dir`/keys and makes what is absent. */
export function openKeys(data_dir: string): Keys {
  const folder = join(data_dir, 'keys')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const jwt = readKey(join(folder, 'jwt.key'))
  const data = readKey(join(folder, 'data.key'))
  const purposes = new Map<string, Uint8Array>()
  return {
    jwt,
    seal(text) {
      const iv = randomBytes(IV)
      const cipher = createCipheriv('aes-256-gcm', data, iv)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return VERSION + Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
    },
    purpose(name) {
      const known = purposes.get(name)
      if (known) return known
      const made = new Uint8Array(hkdfSync('sha256', data, '', name, BYTES))
      purposes.set(name, made)
      return made
    },
    mark: (text) => createHmac('sha256', data).update(text, 'utf8').digest('hex'),
    unseal(sealed) {
      if (!sealed.startsWith(VERSION)) throw new Error('sealed text of an unknown version')
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', data, bytes.subarray(0, IV))
      decipher.setAuthTag(bytes.subarray(IV, IV + TAG))
      return Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]).toString('utf8')
    },
  }
}

function readKey(path: string): Buffer {
  const text = readOrMake(path, () => `${randomBytes(BYTES).toString('base64url')}\n`)
  const key = Buffer.from(text.trim(), 'base64url')
  if (key.length !== BYTES)
    throw new Error(`金鑰檔 ${path} 已損壞（應為 ${BYTES} 位元組）。請從備份還原，或移走它以產生新的`)
  return key
}
