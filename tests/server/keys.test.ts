// The server's own secrets: made once, private, and a changed cipher is never read.
import { createPrivateKey } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { publicOf, readConfig } from '#server/config.ts'
import { openKeys, openVapid } from '#server/keys.ts'
import { openOidcKeys } from '#server/oidc/provider.ts'
import { describeEngines } from '#tests/support/engines.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { startServer } from '#tests/support/server.ts'

describe('keys', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lingbo-keys-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('are made once and readable by the owner only', () => {
    const first = openKeys(folder)
    const names = readdirSync(join(folder, 'keys')).sort()
    expect(names).toEqual(['data.key', 'jwt.key'])
    for (const name of names) expect(statSync(join(folder, 'keys', name)).mode & 0o777).toBe(0o600)
    const second = openKeys(folder)
    expect(Buffer.from(second.jwt).equals(first.jwt)).toBe(true)
    expect(second.unseal(first.seal('網址'))).toBe('網址')
  })

  test('the same text seals differently each time, and comes back whole', () => {
    const keys = openKeys(folder)
    const texts = ['', 'a', '策略 🌊', 'x'.repeat(100_000)]
    for (const text of texts) expect(keys.unseal(keys.seal(text))).toBe(text)
    expect(keys.seal('a')).not.toBe(keys.seal('a'))
    expect(keys.seal('token-marker')).not.toContain('marker')
  })

  test('every altered bit is noticed, and so is another key', () => {
    const keys = openKeys(folder)
    const sealed = keys.seal('secret')
    const bytes = Buffer.from(sealed.slice(3), 'base64url')
    for (let i = 0; i < bytes.length; i++) {
      const altered = Buffer.from(bytes)
      altered[i] = (altered[i] as number) ^ 1
      expect(() => keys.unseal(`v1.${altered.toString('base64url')}`)).toThrow()
    }
    rmSync(join(folder, 'keys', 'data.key'))
    expect(() => openKeys(folder).unseal(sealed)).toThrow()
  })

  test('of the environment: no file is made, and every machine has the same', () => {
    const [one, two] = [1, 2].map((n) => Buffer.alloc(32, n).toString('base64'))
    const config = readConfig({ DATA_DIR: folder, KEYS: `${one}.${two}` })
    const [first, second] = [config, config].map(() => openKeys(folder, config.keys))
    expect(second?.unseal(first?.seal('網址') as string)).toBe('網址')
    expect(first?.jwt).toEqual(Buffer.alloc(32, 1))
    expect(openVapid(config)).toEqual(openVapid(config))
    expect(publicOf(openVapid(config).private)).toBe(openVapid(config).public)
    const [oidc = {}] = openOidcKeys(config, openKeys(folder, config.keys)).jwks.keys
    expect(oidc).toMatchObject(createPrivateKey({ key: oidc, format: 'jwk' }).export({ format: 'jwk' }))
    expect(readdirSync(folder)).toEqual([])
  })

  test.each([
    'x',
    `${'A'.repeat(43)}.${'A'.repeat(43)}`,
    `${'A'.repeat(43)}.${'B'.repeat(43)}.${'C'.repeat(43)}`,
  ])('KEYS that are no two keys stop the start, among all that is wrong: %s', (KEYS) => {
    const start = () => readConfig({ KEYS, PORT: 'x' })
    expect(start).toThrow('KEYS：')
    expect(start).toThrow('PORT=x')
  })

  test('a broken key file stops the start instead of becoming a new key', () => {
    openKeys(folder)
    const path = join(folder, 'keys', 'jwt.key')
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, 20))
    expect(() => openKeys(folder)).toThrow('jwt.key')
  })
})

describeEngines('a start with keys of the environment', (engine) => {
  const KEYS = (n: number) => [n, n + 100].map((byte) => Buffer.alloc(32, byte).toString('base64')).join('.')

  test('an empty database is said, and so is one of other keys, once', async () => {
    const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-keys-'))
    const database = engine === 'postgres' ? await createDatabase() : null
    onTestFinished(async () => {
      await database?.drop()
      rmSync(data_dir, { recursive: true, force: true })
    })
    const said = async (n: number) => {
      const lines = vi.spyOn(console, 'error').mockImplementation(() => undefined)
      const env = { KEYS: KEYS(n), ...(database && { DATABASE_URL: database.url }) }
      const server = await startServer({ data_dir, env })
      const told = lines.mock.calls.map(([line]) => String(line))
      lines.mockRestore()
      await server.close()
      return told
    }
    expect(await said(1)).toEqual([expect.stringContaining('資料庫是空的')])
    expect(await said(1)).toEqual([])
    expect(await said(2)).toEqual([expect.stringContaining('不同（jwt.key、data.key、vapid.json）')])
    expect(await said(2)).toEqual([])
  })
})
