// The server's own secrets: made on the first start and kept as files only the owner may read, or given by the environment (KEYS).
import {
  createCipheriv,
  createDecipheriv,
  createECDH,
  createHmac,
  hkdfSync,
  randomBytes,
  randomUUID,
} from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type Config, publicOf } from './config.ts'

// A secret file that is made once, however many processes start on the same empty folder: all of them read the same one.

/** File systems without hard links (FAT, some network shares). */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** What stands in the file; `make` gives what is written when there is none. Only the owner may read it. */
export function readOrMake(path: string, make: () => string): string {
  if (!existsSync(path)) place(path, make())
  // Restored from an archive it may have become readable by all.
  chmodSync(path, 0o600)
  return readFileSync(path, 'utf8')
}

/** Whole or not at all, and never in the place of another process's. */
function place(path: string, text: string): void {
  const fresh = `${path}.${randomUUID()}.new`
  try {
    writeFileSync(fresh, text, { mode: 0o600, flag: 'wx', flush: true })
    linkSync(fresh, path)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (NO_LINKS.has(code)) placePlainly(path, text)
    else if (code !== 'EEXIST') throw error
  } finally {
    rmSync(fresh, { force: true })
  }
  flushFolder(dirname(path))
}

function placePlainly(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** A name in a folder is on the disk only when the folder is. */
function flushFolder(folder: string): void {
  if (process.platform === 'win32') return
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

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

/** The keys of the environment, else those in `data_dir`/keys; makes what is absent there. */
export function openKeys(data_dir: string, given: Config['keys'] = null): Keys {
  const { jwt, data } = given ?? keysIn(join(data_dir, 'keys'))
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

/** Keys are there already: none would be made. */
export function hasKeys({ data_dir, keys }: Pick<Config, 'data_dir' | 'keys'>): boolean {
  return keys !== null || existsSync(join(data_dir, 'keys', 'data.key'))
}

function keysIn(folder: string): NonNullable<Config['keys']> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return { jwt: readKey(join(folder, 'jwt.key')), data: readKey(join(folder, 'data.key')) }
}

/** What each key is known by without being it: processes on one database compare them (server/db/lineage.ts). */
export function marksOf(keys: Keys, vapid: Vapid, oidc: string | undefined): Record<string, string> {
  return {
    'jwt.key': createHmac('sha256', keys.jwt).update('which key is it').digest('base64url'),
    'data.key': createHmac('sha256', keys.purpose('which key is it')).digest('base64url'),
    'vapid.json': vapid.public,
    ...(oidc !== undefined && { 'oidc.json': oidc }),
  }
}

/** The private half of a P-256 pair that every machine with these keys makes alike. */
export function pairOf(keys: Pick<Keys, 'purpose'>, name: string): { private: string; public: string } {
  for (let i = 0; ; i++) {
    const secret = Buffer.from(keys.purpose(`${name} ${i}`)).toString('base64url')
    const open = publicOf(secret)
    // One in four billion is no number of the curve.
    if (open !== null) return { private: secret, public: open }
  }
}

function readKey(path: string): Buffer {
  const text = readOrMake(path, () => `${randomBytes(BYTES).toString('base64url')}\n`)
  const key = Buffer.from(text.trim(), 'base64url')
  if (key.length !== BYTES)
    throw new Error(`金鑰檔 ${path} 已損壞（應為 ${BYTES} 位元組）。請從備份還原，或移走它以產生新的`)
  return key
}

// The pair of keys that names this server to push services (VAPID, RFC 8292): made once, kept as a file of the owner's.

/** As push libraries take it; keys in base64url. */
export interface Vapid {
  readonly subject: string
  readonly public: string
  readonly private: string
}

/**
 * The pair of the environment, made from KEYS where those are given, else of `data_dir`/keys/vapid.json, which is made when it is
 * absent. Every subscription is bound to the public one: with another pair all devices have to subscribe anew, so a broken file
 * stops the start and is never replaced.
 */
export function openVapid({
  vapid,
  data_dir,
  keys = null,
}: Pick<Config, 'vapid' | 'data_dir'> & Partial<Pick<Config, 'keys'>>): Vapid {
  const { subject } = vapid
  if (vapid.public !== null && vapid.private !== null)
    return { subject, public: vapid.public, private: vapid.private }
  if (keys !== null) return { subject, ...pairOf(openKeys(data_dir, keys), 'vapid') }
  const folder = join(data_dir, 'keys')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'vapid.json')
  const text = readOrMake(path, () => `${JSON.stringify(make())}\n`)
  const kept = pairIn(text)
  if (kept === null) throw new Error(broken(path))
  return { subject, ...kept }
}

function pairIn(text: string): { public: string; private: string } | null {
  let kept: Partial<Record<'public' | 'private', unknown>> | null
  try {
    kept = JSON.parse(text) as typeof kept
  } catch {
    // Cut off or overwritten: as good as one that holds no pair.
    return null
  }
  if (typeof kept?.private !== 'string' || typeof kept.public !== 'string') return null
  return publicOf(kept.private) === kept.public ? { public: kept.public, private: kept.private } : null
}

const broken = (path: string) =>
  `金鑰檔 ${path} 已損壞。請從備份還原，或移走它以產生新的（所有裝置的推播都要重新開啟）`

function make(): { public: string; private: string } {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  // Leading zeros are no part of the number, but of the key's form.
  const secret = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32)
  return { public: pair.getPublicKey('base64url'), private: secret.toString('base64url') }
}
