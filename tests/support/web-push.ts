// What a browser and its push service do with a Web Push message, in node's own cryptography: decryption (RFC 8291, RFC 8188) and
// the signature that names the sender (VAPID, RFC 8292).
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'

/** What a browser keeps of a subscription, and what of it the sender is given. */
export interface Receiver {
  readonly private_key: Buffer
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

const KEY = 65
const SALT = 16
const TAG = 16

export function makeReceiver(): Receiver {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return {
    private_key: pair.getPrivateKey(),
    keys: { p256dh: pair.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') },
  }
}

/** The text of a message; throws when it was not made for this receiver, or not as the standard says. */
export function decrypt(body: Buffer, { private_key, keys }: Receiver): string {
  const salt = body.subarray(0, SALT)
  const record_size = body.readUInt32BE(SALT)
  const key_size = body.readUInt8(SALT + 4)
  const head = SALT + 5 + key_size
  if (key_size !== KEY) throw new Error(`the key of the sender has ${key_size} bytes`)
  const sender = body.subarray(SALT + 5, head)
  const record = body.subarray(head)
  if (record_size < 18 || record.length > record_size) throw new Error('more than one record')
  const ours = createECDH('prime256v1')
  ours.setPrivateKey(private_key)
  const shared = ours.computeSecret(sender)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ours.getPublicKey(), sender])
  const secret = derive(shared, Buffer.from(keys.auth, 'base64url'), info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-TAG))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG)), decipher.final()])
  const end = padded.findLastIndex((byte) => byte !== 0)
  // 2 marks the last record; zeros behind it are padding.
  if (padded[end] !== 2) throw new Error('no last record')
  return padded.toString('utf8', 0, end)
}

function derive(key: Buffer, salt: Buffer, info: Buffer, size: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, info, size))
}

/** What is wrong with the Authorization of a message to this origin; `key` is who sent it, in base64url. */
export function readVapid(header: string, origin: string, now: number): { key: string; wrong: string[] } {
  const [, token = '', key = ''] = /^vapid t=([\w-]+\.[\w-]+\.[\w-]+), ?k=([\w-]+)$/.exec(header) ?? []
  if (key === '') return { key, wrong: ['Authorization is not “vapid t=…, k=…”'] }
  const [head = '', claims = '', signature = ''] = token.split('.')
  const wrong: string[] = []
  if (!isSigned(`${head}.${claims}`, signature, key)) wrong.push('the signature does not belong to the key')
  if (partOf(head)['alg'] !== 'ES256') wrong.push('not signed with ES256')
  const { aud, exp, sub } = partOf(claims)
  if (aud !== origin) wrong.push(`aud is ${String(aud)}, not ${origin}`)
  const left_s = Number(exp) - now / 1_000
  if (!(left_s > 0)) wrong.push('exp has passed')
  if (left_s > 86_400) wrong.push('exp is more than a day away')
  if (!/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(String(sub)))
    wrong.push('sub is no way to reach anybody')
  return { key, wrong }
}

function isSigned(text: string, signature: string, key: string): boolean {
  const point = Buffer.from(key, 'base64url')
  if (point.length !== KEY) return false
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  const jwk = { kty: 'EC', crv: 'P-256', x: x as string, y: y as string }
  const made = createPublicKey({ key: jwk, format: 'jwk' })
  const how = { key: made, dsaEncoding: 'ieee-p1363' } as const
  return verify('sha256', Buffer.from(text), how, Buffer.from(signature, 'base64url'))
}

function partOf(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // No JSON: nothing that is asked for is in it.
  }
  return {}
}
