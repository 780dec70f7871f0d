// The environment: what it becomes, and that all wrong values are named at once.
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '#server/config.ts'
import { clientsFile } from '#tests/support/third-party.ts'

describe('config', () => {
  test('an empty environment gives a server on this machine only', () => {
    const config = readConfig({})
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8787,
      public_url: 'http://127.0.0.1:8787',
      database_url: null,
      smtp_url: null,
      trusted_proxies: [],
      outgoing_allow: [],
      telegram_bot_token: null,
      telegram_api_root: 'https://api.telegram.org',
      line_channel_token: null,
      line_channel_secret: null,
      line_api_root: 'https://api.line.me',
      discord_api_root: 'https://discord.com',
      vapid: { subject: 'mailto:no-reply@localhost', public: null, private: null },
      hook_rate_per_minute: 60,
      hook_burst: 300,
    })
    expect(config.data_dir).toMatch(/[/\\]data$/)
  })

  test('values are taken, spaces around them are not', () => {
    const config = readConfig({
      HOST: '0.0.0.0',
      PORT: ' 9000 ',
      PUBLIC_URL: 'https://lingbo.example.com/',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      DATABASE_URL: 'postgres://u:p@db/lingbo',
      OUTGOING_ALLOW: '127.0.0.0/8,fd00::/8',
      TELEGRAM_API_ROOT: 'http://127.0.0.1:8081/',
    })
    expect(config).toMatchObject({
      port: 9000,
      public_url: 'https://lingbo.example.com',
      trusted_proxies: ['10.0.0.0/8', '::1'],
      outgoing_allow: ['127.0.0.0/8', 'fd00::/8'],
      telegram_api_root: 'http://127.0.0.1:8081',
      vapid: { subject: 'https://lingbo.example.com' },
    })
    expect(readConfig({ HOST: '0.0.0.0' }).public_url).toBe('http://127.0.0.1:8787')
    expect(readConfig({ HOST: '::1', PORT: '1' }).public_url).toBe('http://[::1]:1')
  })

  test('one error lists every wrong value, and repeats no password', () => {
    const wrong = {
      PORT: '70000',
      PUBLIC_URL: 'lingbo.example.com',
      DATABASE_URL: 'mysql://u:geheim-1@db/x',
      DATABASE_READ_URL: 'mysql://u:geheim-9@db/x',
      SMTP_URL: 'geheim-2',
      TRUSTED_PROXIES: '10.0.0.0/33',
      LOG_LEVEL: 'loud',
      MAIL_FROM: 'nobody',
      HOOK_BURST: '-1',
      OUTGOING_ALLOW: 'localhost',
      TELEGRAM_BOT_TOKEN: 'geheim-3',
      TELEGRAM_API_ROOT: 'ftp://geheim-4@api.example',
      TELEGRAM_UPDATES: 'push',
      LINE_CHANNEL_SECRET: 'geheim-5',
      DISCORD_API_ROOT: 'https://discord.example/?geheim-6',
      VAPID_SUBJECT: 'somebody',
      VAPID_PUBLIC_KEY: 'geheim-7',
      VAPID_PRIVATE_KEY: 'geheim-8',
    }
    let error: unknown
    try {
      readConfig(wrong)
    } catch (caught) {
      error = caught
    }
    expect(error).toBeInstanceOf(ConfigError)
    const { message, problems } = error as ConfigError
    expect(problems).toHaveLength(18)
    for (const name of Object.keys(wrong)) expect(message).toContain(name)
    expect(message).not.toContain('geheim')
  })

  test.each([
    ['PUBLIC_URL', 'https://a.example/path'],
    ['PUBLIC_URL', 'https://user@a.example'],
    ['TELEGRAM_UPDATES', 'webhook'],
    ['MAIL_PICKUP', '1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['HOST', 'http://a'],
    ['DATABASE_READ_URL', 'postgres://without-its-primary/lingbo'],
    ['LIMIT_FACTOR', '0'],
    ['LINE_CHANNEL_TOKEN', 'without-its-secret'],
    ['VAPID_PRIVATE_KEY', 'A'.repeat(43)],
    ['OAUTH_CLIENTS', '/no/such/file.json'],
    ['SSO_PROVIDERS', '/no/such/file.json'],
    ['SSO_PROVIDERS', '[{"id":"a","name":"A","issuer":"http://a.example","client_id":"x"}]'],
    ['SSO_PROVIDERS', '[{"id":"A b","name":"A","issuer":"https://a.example","client_id":"x"}]'],
    ['SSO_PROVIDERS', '[{"id":"a","name":"A","issuer":"https://a.example"}]'],
  ])('%s=%s is refused', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(name)
  })

  test.each([
    ['https://app.example.com/*', '不能有 *'],
    ['https://app.example.com/cb#x', '不能有 #'],
    ['https://user@app.example.com/cb', '帳號或密碼'],
    ['http://app.example.com/cb', 'https'],
    ['javascript:alert(1)', '開頭'],
    ['/cb', '完整網址'],
  ])('an application may not be sent back to %s', (uri, why) => {
    expect(() => readConfig({ OAUTH_CLIENTS: clientsFile([uri]) })).toThrow(why)
  })

  test('applications and providers are taken as they stand', () => {
    const { oauth_clients, sso_providers } = readConfig({
      OAUTH_CLIENTS: clientsFile(['http://127.0.0.1:4000/cb', 'https://app.example.com/cb']),
      SSO_PROVIDERS: '[{"id":"a","name":"A","issuer":"https://a.example","client_id":"x"}]',
    })
    expect(oauth_clients.map(({ client_id }) => client_id)).toEqual(['robot', 'other'])
    expect(sso_providers).toMatchObject([{ id: 'a', scopes: 'openid email profile', client_secret: null }])
    expect(() =>
      readConfig({ OAUTH_CLIENTS: clientsFile(['com.example.app:/cb', 'https://a.example/cb']) }),
    ).toThrow('混用')
  })
})
