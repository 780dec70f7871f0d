// The keys of pushes: made once and private, or the environment's; nothing broken is ever replaced by itself.
import { createECDH } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { openVapid } from '#server/keys.ts'

describe('the keys of pushes', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lingbo-vapid-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const open = (env: Record<string, string> = {}) => openVapid(readConfig({ DATA_DIR: folder, ...env }))
  const pair = () => {
    const { private: secret, public: open_one } = open()
    return { VAPID_PUBLIC_KEY: open_one, VAPID_PRIVATE_KEY: secret }
  }

  test('are made once, belong together, and only the owner may read them', () => {
    const first = open({ VAPID_SUBJECT: 'mailto:me@lingbo.test' })
    expect(first.subject).toBe('mailto:me@lingbo.test')
    expect(open()).toMatchObject({ public: first.public, private: first.private })
    expect(statSync(join(folder, 'keys/vapid.json')).mode & 0o777).toBe(0o600)
    expect(Buffer.from(first.public, 'base64url')).toHaveLength(65)
    const ours = createECDH('prime256v1')
    ours.setPrivateKey(Buffer.from(first.private, 'base64url'))
    expect(ours.getPublicKey('base64url')).toBe(first.public)
  })

  test('of the environment go before the file, and have to be one pair', () => {
    const given = pair()
    rmSync(join(folder, 'keys'), { recursive: true })
    expect(open(given)).toMatchObject({ public: given.VAPID_PUBLIC_KEY, private: given.VAPID_PRIVATE_KEY })
    expect(() => statSync(join(folder, 'keys'))).toThrow('ENOENT')
    const other = pair()
    expect(() => open({ ...given, VAPID_PRIVATE_KEY: other.VAPID_PRIVATE_KEY })).toThrow('同一對')
    expect(() => open({ VAPID_PUBLIC_KEY: given.VAPID_PUBLIC_KEY })).toThrow('一起設定')
  })

  test.each([
    ['cut off', (text: string) => text.slice(0, 60)],
    ['without a key', () => '{}'],
    [
      'of two pairs',
      (text: string) => text.replace(/(?<="private":")./, (first) => (first === 'A' ? 'B' : 'A')),
    ],
  ])('a file %s stops the start and stays as it is', (_how, broken) => {
    open()
    const path = join(folder, 'keys/vapid.json')
    const text = broken(readFileSync(path, 'utf8'))
    writeFileSync(path, text)
    expect(() => open()).toThrow('vapid.json')
    expect(readFileSync(path, 'utf8')).toBe(text)
  })
})
