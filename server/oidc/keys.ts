// The provider's own secrets: the ES256 key of its ID tokens in a file only the owner may read, and the key of its cookies.
import { createHmac, generateKeyPairSync, type JsonWebKey, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { readOrMake } from '../key-file.ts'
import type { Keys } from '../keys.ts'

export interface OidcKeys {
  /** The first one signs; older ones stay so that what they signed can still be checked. */
  readonly jwks: { keys: JsonWebKey[] }
  readonly cookies: string[]
}

/** Opens `data_dir`/keys/oidc.json and makes it when it is absent. */
export function openOidcKeys(data_dir: string, keys: Pick<Keys, 'jwt'>): OidcKeys {
  const path = join(data_dir, 'keys', 'oidc.json')
  const text = readOrMake(path, () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: randomUUID() }
    return `${JSON.stringify({ keys: [key] })}\n`
  })
  const cookies = [createHmac('sha256', keys.jwt).update('oidc cookies').digest('base64url')]
  try {
    const jwks = JSON.parse(text) as OidcKeys['jwks']
    if (jwks.keys.some(({ kty, d }) => kty === 'EC' && typeof d === 'string')) return { jwks, cookies }
  } catch (error) {
    throw new Error(`金鑰檔 ${path} 已損壞。請從備份還原，或移走它以產生新的`, { cause: error })
  }
  throw new Error(`金鑰檔 ${path} 裡沒有 ES256 的私鑰。請從備份還原，或移走它以產生新的`)
}
