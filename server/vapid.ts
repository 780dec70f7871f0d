// The pair of keys that names this server to push services (VAPID, RFC 8292): made once, kept as a file of the owner's.
import { createECDH } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { publicOf } from './config/channels.ts'
import type { Config } from './config.ts'
import { readOrMake } from './key-file.ts'

/** As push libraries take it; keys in base64url. */
export interface Vapid {
  readonly subject: string
  readonly public: string
  readonly private: string
}

/**
 * The pair of the environment, else of `data_dir`/keys/vapid.json, which is made when it is absent. Every subscription is bound to
 * the public one: with another pair all devices have to subscribe anew, so a broken file stops the start and is never replaced.
 */
export function openVapid({ vapid, data_dir }: Pick<Config, 'vapid' | 'data_dir'>): Vapid {
  const { subject } = vapid
  if (vapid.public !== null && vapid.private !== null)
    return { subject, public: vapid.public, private: vapid.private }
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
