// Reads the environment once into one typed object; every wrong value is named in one message.

import { createECDH } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { OAUTH_SCOPES, type OauthScope } from '#contract/oauth.ts'
import { type ContactNode, contact_nodes } from '#contract/organization.ts'

// What the channels of notifications need from outside: keys of accounts, and where the services of others stand.

/** Keys and addresses of the channels; null = this server does not offer the channel. */
interface ChannelConfig {
  readonly telegram_bot_token: string | null
  /** Without a slash at its end, as the two below. */
  readonly telegram_api_root: string
  /** Asked for, or sent to PUBLIC_URL. */
  readonly telegram_updates: 'polling' | 'webhook'
  readonly line_channel_token: string | null
  /** Signs what LINE sends here. */
  readonly line_channel_secret: string | null
  readonly line_api_root: string
  readonly discord_api_root: string
  /** Who sends pushes; keys that are null are made and kept in `data_dir`/keys (server/keys.ts). */
  readonly vapid: {
    /** How a push service reaches the operator: https: or mailto:. */
    readonly subject: string
    readonly public: string | null
    readonly private: string | null
  }
}

/** Reads a variable; null when it is empty. */
type Text = (name: string) => string | null
type Problem = (line: string) => void

/** The part of the configuration the channels have; what is wrong goes to `problem`, and no secret is repeated. */
function readChannels(
  text: Text,
  problem: Problem,
  us: { public_url: string; mail_from: string },
): ChannelConfig {
  const telegram_bot_token = text('TELEGRAM_BOT_TOKEN')
  if (telegram_bot_token !== null && !/^\d{5,20}:[\w-]{20,100}$/.test(telegram_bot_token))
    problem('TELEGRAM_BOT_TOKEN：要是 BotFather 給的令牌，像 123456789:AAE…')
  const telegram_updates = text('TELEGRAM_UPDATES') ?? 'polling'
  if (telegram_updates !== 'polling' && telegram_updates !== 'webhook')
    problem('TELEGRAM_UPDATES：要是 polling 或 webhook')
  else if (telegram_updates === 'webhook' && !us.public_url.startsWith('https:'))
    problem('TELEGRAM_UPDATES=webhook：PUBLIC_URL 要是 https，Telegram 才送得到；沒有時用 polling')
  const line_channel_token = text('LINE_CHANNEL_TOKEN')
  const line_channel_secret = text('LINE_CHANNEL_SECRET')
  if ((line_channel_token === null) !== (line_channel_secret === null))
    problem('LINE_CHANNEL_TOKEN 與 LINE_CHANNEL_SECRET：要一起設定')
  // Both travel in headers, where a line break or a Chinese letter would fail at the first message only.
  if (line_channel_token !== null && !/^[\x21-\x7e]+$/.test(line_channel_token))
    problem('LINE_CHANNEL_TOKEN：只能是英數字與符號，中間不能有空白')
  if (line_channel_secret !== null && !/^[0-9a-f]{32}$/i.test(line_channel_secret))
    problem('LINE_CHANNEL_SECRET：要是 LINE Developers 的 Channel secret，32 個十六進位字元')
  const root = (name: string, fallback: string) => readRoot(name, text(name), problem) ?? fallback
  return {
    telegram_bot_token,
    telegram_api_root: root('TELEGRAM_API_ROOT', 'https://api.telegram.org'),
    telegram_updates: telegram_updates === 'webhook' ? 'webhook' : 'polling',
    line_channel_token,
    line_channel_secret,
    line_api_root: root('LINE_API_ROOT', 'https://api.line.me'),
    discord_api_root: root('DISCORD_API_ROOT', 'https://discord.com'),
    vapid: readVapid(text, problem, us),
  }
}

function readRoot(name: string, raw: string | null, problem: Problem): string | null {
  if (raw === null) return null
  const url = URL.canParse(raw) ? new URL(raw) : null
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password)
    return url.href.endsWith('/') ? url.href.slice(0, -1) : url.href
  problem(`${name}：要以 https:// 或 http:// 開頭，不含帳號、? 與 #`)
  return null
}

function readVapid(
  text: Text,
  problem: Problem,
  { public_url, mail_from }: { public_url: string; mail_from: string },
): ChannelConfig['vapid'] {
  const given = text('VAPID_SUBJECT')
  if (given !== null && !isContact(given))
    problem('VAPID_SUBJECT：要是 https:// 網址，或 mailto: 加上電子郵件')
  const address = /<([^<>]+)>$/.exec(mail_from)?.[1] ?? mail_from
  const own = public_url.startsWith('https:') ? public_url : `mailto:${address}`
  const keys = { public: text('VAPID_PUBLIC_KEY'), private: text('VAPID_PRIVATE_KEY') }
  if ((keys.public === null) !== (keys.private === null))
    problem('VAPID_PUBLIC_KEY 與 VAPID_PRIVATE_KEY：要一起設定，或都不設定')
  else if (keys.public !== null && keys.private !== null && publicOf(keys.private) !== keys.public)
    problem('VAPID_PUBLIC_KEY 與 VAPID_PRIVATE_KEY：要是同一對 P-256 金鑰，base64url 寫法')
  return { subject: given ?? own, ...keys }
}

/** The public key that belongs to a private one, both base64url; null when it is none. */
export function publicOf(private_key: string): string | null {
  const bytes = Buffer.from(private_key, 'base64url')
  if (bytes.length !== 32 || bytes.toString('base64url') !== private_key) return null
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(bytes)
  } catch {
    // Zero, or more than the curve holds: no key.
    return null
  }
  return pair.getPublicKey('base64url')
}

/** Two keys of 32 bytes with a dot between; what is wrong is said without them. */
function readKeys(raw: string | null, problem: Problem): Config['keys'] {
  if (raw === null) return null
  const [jwt, data, more] = raw.split('.').map((part) => Buffer.from(part, 'base64'))
  if (jwt?.length === 32 && data?.length === 32 && more === undefined && !jwt.equals(data))
    return { jwt, data }
  problem('KEYS：要是兩把不同的 32 位元組金鑰（base64），中間一個點；每台機器相同')
  return null
}

/** `https://KEY:SECRET@host/bucket/prefix?region=…`; what is wrong is said without it: it holds a secret. */
function readStorage(raw: string | null, problem: Problem): Config['storage'] {
  if (raw === null) return null
  const url = URL.canParse(raw) ? new URL(raw) : null
  const [bucket = '', ...rest] = url?.pathname.split('/').filter(Boolean) ?? []
  const strange = [...(url?.searchParams.keys() ?? [])].some((name) => name !== 'region')
  try {
    if (
      url &&
      /^https?:$/.test(url.protocol) &&
      !strange &&
      !url.hash &&
      url.username &&
      url.password &&
      bucket
    )
      return {
        endpoint: url.origin,
        bucket,
        prefix: rest.map((part) => `${part}/`).join(''),
        region: url.searchParams.get('region') ?? 'us-east-1',
        key: decodeURIComponent(url.username),
        secret: decodeURIComponent(url.password),
      }
  } catch {
    // A % that is none: said below.
  }
  problem('STORAGE_URL：要像 https://金鑰:密鑰@主機/bucket?region=us-east-1，密鑰裡的 / 與 + 寫成 %2F 與 %2B')
  return null
}

function isContact(value: string): boolean {
  return /^mailto:[^\s@]+@[^\s@]+$/.test(value) || (value.startsWith('https://') && URL.canParse(value))
}

// OAUTH_CLIENTS: the applications of others that may ask for access, one JSON file, read at the start.

/** An application of somebody else. */
export interface OAuthClient {
  readonly client_id: string
  readonly client_name: string
  /** null = a public client (app on a device): PKCE alone. */
  readonly client_secret: string | null
  /** Compared to the letter. */
  readonly redirect_uris: readonly string[]
  /** A data: picture, because the page shows no foreign addresses. */
  readonly logo: string | null
  readonly scopes: readonly OauthScope[]
}

/** A picture inside the file: the page's policy allows no others. */
export const picture = z
  .string()
  .check(
    z.regex(/^data:image\/(png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/=]+$/, '要是 data:image/…;base64 圖片'),
    z.maxLength(100_000, '最多 75 KB'),
  )

const client = z.object({
  client_id: z.string().check(z.regex(/^[\w.-]{3,100}$/, '3 到 100 個英數字、點、底線或減號')),
  client_name: z.string().check(z.trim(), z.minLength(1, '必填'), z.maxLength(60, '最多 60 個字')),
  client_secret: z._default(
    z.nullable(z.string().check(z.minLength(32, '至少 32 個字元，請用亂數產生'))),
    null,
  ),
  redirect_uris: z.array(z.string()).check(z.minLength(1, '至少一個'), z.maxLength(20, '最多 20 個')),
  logo: z._default(z.nullable(picture), null),
  scopes: z._default(z.array(z.enum(OAUTH_SCOPES)), [...OAUTH_SCOPES]),
})

/** The clients of a file; what is wrong goes to `problem`, one line each. */
function readClients(path: string | null, problem: (text: string) => void): readonly OAuthClient[] {
  if (path === null) return []
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    problem(`OAUTH_CLIENTS=${path}：要是讀得到的 JSON 檔`)
    return []
  }
  const { data, error } = z.array(client).safeParse(content)
  for (const { path: at, message } of error?.issues ?? [])
    problem(`OAUTH_CLIENTS：${at.join('.') || '檔案'} ${message}`)
  if (!data) return []
  const ids = data.map(({ client_id }) => client_id)
  for (const id of new Set(ids.filter((one, i) => ids.indexOf(one) !== i)))
    problem(`OAUTH_CLIENTS：${id} 出現兩次`)
  for (const { client_id, redirect_uris } of data) {
    for (const uri of redirect_uris) {
      const wrong = wrongRedirect(uri)
      if (wrong) problem(`OAUTH_CLIENTS：${client_id} 的 redirect_uris ${uri} ${wrong}`)
    }
    if (new Set(redirect_uris.map(isWeb)).size > 1)
      problem(
        `OAUTH_CLIENTS：${client_id} 的 redirect_uris 不能混用網址與 App 專屬網址，請分成兩個 client_id`,
      )
  }
  return data
}

/** True for http(s); false for an application's own scheme. */
export function isWeb(uri: string): boolean {
  return /^https?:/i.test(uri)
}

/** What is wrong with an address that codes are sent to, else null. */
function wrongRedirect(uri: string): string | null {
  if (!URL.canParse(uri)) return '不是完整網址'
  const { protocol, hostname, username, password, href } = new URL(uri)
  if (href.includes('#')) return '不能有 #'
  if (uri.includes('*')) return '不能有 *，每個網址都要寫全'
  if (username || password) return '不能有帳號或密碼'
  if (protocol === 'https:') return null
  if (protocol === 'http:')
    return isLoopback(hostname) ? null : '要用 https（只有 127.0.0.1、[::1]、localhost 可用 http）'
  // RFC 8252 §7.1: a scheme of one's own is a domain turned around.
  return /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/.test(protocol) ? null : '的開頭要像 com.example.app:'
}

/** True for this machine's own names. */
function isLoopback(hostname: string): boolean {
  return hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost'
}

// CONTACT_LINKS: how people reach whoever runs this server, one JSON file, read at the start.

/** The tree of a file; what is wrong goes to `problem`, one line each. */
function readContactLinks(path: string | null, problem: (text: string) => void): readonly ContactNode[] {
  if (path === null) return []
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    problem(`CONTACT_LINKS=${path}：要是讀得到的 JSON 檔`)
    return []
  }
  const { data, error } = contact_nodes.safeParse(content)
  for (const { path: at, message } of error?.issues ?? [])
    problem(`CONTACT_LINKS：${at.join('.') || '檔案'} ${message}`)
  if (data) for (const at of dropped(content, data)) problem(`CONTACT_LINKS：不認得 ${at}，欄位是 ${KNOWN}`)
  return data ?? []
}

const KNOWN = 'label、type、value 與 children'

/** Places of what a file says and its reading left out: a misspelt key would take what stands under it along, without a word. */
function dropped(said: unknown, read: unknown, at: readonly string[] = []): string[] {
  if (typeof said !== 'object' || said === null) return []
  return Object.entries(said).flatMap(([key, value]) => {
    const place = [...at, key]
    if (typeof read !== 'object' || read === null || !Object.hasOwn(read, key)) return place.join('.')
    return dropped(value, (read as Record<string, unknown>)[key], place)
  })
}

// Networks in variables: addresses and CIDR blocks, as TRUSTED_PROXIES and OUTGOING_ALLOW list them.

/** The entries of a list between commas or spaces; what is no address and no block goes to `problem`, one line each. */
function readNetworks(name: string, raw: string | null, problem: (line: string) => void): readonly string[] {
  const entries = (raw ?? '').split(/[\s,]+/).filter(Boolean)
  for (const entry of entries)
    if (!isBlock(entry)) problem(`${name}：${entry} 不是 IP 位址或網段（例如 10.0.0.0/8）`)
  return entries
}

/** The same entries, to be asked. */
export function networksOf(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const v6 = isIP(address) === 6
    list.addSubnet(address, bits === undefined ? (v6 ? 128 : 32) : Number(bits), v6 ? 'ipv6' : 'ipv4')
  }
  return list
}

function isBlock(value: string): boolean {
  const [ip = '', bits, more] = value.split('/')
  const kind = isIP(ip)
  if (kind === 0 || more !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (kind === 4 ? 32 : 128))
}

// SSO_PROVIDERS: where people may sign in instead of with a password here; JSON itself or the path of a JSON file.

/** An OpenID provider of somebody else. */
export interface SsoProvider {
  /** Stands in addresses and with every identity: never changed once used. */
  readonly id: string
  readonly name: string
  readonly icon: string | null
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: string | null
  readonly scopes: string
}

const provider = z.object({
  id: z.string().check(z.regex(/^[a-z0-9-]{1,32}$/, '1 到 32 個小寫英數字或減號')),
  name: z.string().check(z.trim(), z.minLength(1, '必填'), z.maxLength(40, '最多 40 個字')),
  icon: z._default(z.nullable(picture), null),
  issuer: z.string().check(z.refine(isIssuer, '要是 https 網址（本機可用 http）')),
  client_id: z.string().check(z.minLength(1, '必填')),
  client_secret: z._default(z.nullable(z.string().check(z.minLength(1, '不能是空的'))), null),
  scopes: z._default(z.string().check(z.regex(/(^| )openid( |$)/, '要包含 openid')), 'openid email profile'),
})

/** The providers of a variable; what is wrong goes to `problem`, one line each. Secrets are never repeated. */
function readProviders(value: string | null, problem: (text: string) => void): readonly SsoProvider[] {
  if (value === null) return []
  let content: unknown
  try {
    content = JSON.parse(value.startsWith('[') ? value : readFileSync(value, 'utf8'))
  } catch {
    problem('SSO_PROVIDERS：要是 JSON 陣列，或讀得到的 JSON 檔')
    return []
  }
  const { data, error } = z.array(provider).safeParse(content)
  for (const { path, message } of error?.issues ?? [])
    problem(`SSO_PROVIDERS：${path.join('.') || '內容'} ${message}`)
  const ids = data?.map(({ id }) => id) ?? []
  for (const id of new Set(ids.filter((one, i) => ids.indexOf(one) !== i)))
    problem(`SSO_PROVIDERS：${id} 出現兩次`)
  return data ?? []
}

function isIssuer(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, search, hash, username } = new URL(value)
  if (search || hash || username) return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

export const ROOT = join(import.meta.dirname, '..')

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type LogLevel = (typeof LOG_LEVELS)[number]

export interface Config extends ChannelConfig {
  readonly host: string
  /** 0 = any free port. */
  readonly port: number
  /** Origin under which people reach the server, without a slash at its end. */
  readonly public_url: string
  readonly data_dir: string
  /** KEYS: what signs and what seals, where no file of `data_dir`/keys is to hold them; null = the files. */
  readonly keys: { readonly jwt: Buffer; readonly data: Buffer } | null
  /** STORAGE_URL: where pictures lie instead of `data_dir`/files. */
  readonly storage: {
    /** Without a slash at its end. */
    readonly endpoint: string
    readonly bucket: string
    /** Stands before every name: '' or with a slash at its end. */
    readonly prefix: string
    readonly region: string
    readonly key: string
    readonly secret: string
  } | null
  /** The built app. */
  readonly dist_dir: string
  /** null = SQLite in `data_dir`. */
  readonly database_url: string | null
  /** A replica of it that lists, statistics and exports are read from; null = all of `database_url`. */
  readonly database_read_url: string | null
  /** How long PostgreSQL may leave a statement unanswered before it counts as away, in milliseconds. */
  readonly database_patience_ms: number
  /** null = mails become .eml files in `data_dir`/mail. */
  readonly smtp_url: string | null
  /** Somebody takes the .eml files from their folder and brings them where they belong; else they reach nobody. */
  readonly mail_pickup: boolean
  readonly mail_from: string
  /** Addresses or CIDR blocks whose X-Forwarded-For is believed. */
  readonly trusted_proxies: readonly string[]
  /** Addresses or CIDR blocks this server may call although they are private, and without https (server/outgoing). */
  readonly outgoing_allow: readonly string[]
  readonly log_level: LogLevel
  /** How people reach whoever runs this server (CONTACT_LINKS); empty when nothing is said. */
  readonly contact_links: readonly ContactNode[]
  /** Applications of others that may ask for access (OAUTH_CLIENTS). */
  readonly oauth_clients: readonly OAuthClient[]
  /** Where people may sign in instead of here (SSO_PROVIDERS). */
  readonly sso_providers: readonly SsoProvider[]
  readonly hook_rate_per_minute: number
  readonly hook_burst: number
  /** The pause before a notification is tried a second time, in milliseconds; the further ones follow it. */
  readonly notify_first_retry_ms: number
  /** Multiplies every limit on the API (sign-in, codes, calls per person). */
  readonly limit_factor: number
  /** With less room on the disk than this it is said that it runs out. */
  readonly disk_low_mb: number
  /** Connections from one address; null = a quarter of all. */
  readonly connections_per_address: number | null
  /** How long a stop waits for what is running, in milliseconds. */
  readonly drain_ms: number
  /** After so many days a session ends, unless the password renews it. */
  readonly session_days: number
}

/** Thrown with one line per wrong variable, in Chinese. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`設定有誤，請修正後再啟動：\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

type Env = Readonly<Record<string, string | undefined>>

/** The configuration of an environment; ConfigError names all wrong values at once. */
export function readConfig(env: Env): Config {
  const problems: string[] = []
  const problem = (line: string) => void problems.push(line)
  const text = (name: string) => env[name]?.trim() || null
  const number = (name: string, fallback: number, from: number, to: number) => {
    const raw = text(name)
    if (raw === null) return fallback
    const value = Number(raw)
    if (/^\d+$/.test(raw) && value >= from && value <= to) return value
    problems.push(`${name}=${raw}：要是 ${from} 到 ${to} 的整數`)
    return fallback
  }
  const address = (name: string, schemes: readonly string[], origin_only = false) => {
    const raw = text(name)
    if (raw === null) return null
    const url = URL.canParse(raw) ? new URL(raw) : null
    // The value itself may hold a password: it is never repeated.
    if (!url || !schemes.includes(url.protocol))
      problems.push(`${name}：要以 ${schemes.join('// 或 ')}// 開頭的完整網址`)
    else if (origin_only && (url.pathname !== '/' || url.search || url.hash || url.username))
      problems.push(`${name}：只能有主機與連接埠，例如 https://lingbo.example.com`)
    return raw
  }
  const read_url = text('DATABASE_READ_URL')
  if (read_url !== null && text('DATABASE_URL') === null)
    problems.push('DATABASE_READ_URL：是 PostgreSQL 的唯讀備援，要和 DATABASE_URL 一起設定')
  else if (read_url !== null && read_url === text('DATABASE_URL'))
    problems.push('DATABASE_READ_URL：要是另一台（唯讀備援），不是 DATABASE_URL 自己')
  const host = text('HOST') ?? '127.0.0.1'
  if (/[\s/:]/.test(host) && !isIP(host)) problems.push(`HOST=${host}：要是主機名稱或 IP 位址`)
  const port = number('PORT', 8787, 0, 65_535)
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const public_url = address('PUBLIC_URL', ['http:', 'https:'], true)
  const mail_from = text('MAIL_FROM') ?? '凌波 LingBo <no-reply@localhost>'
  if (!/^[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/.test(mail_from))
    problems.push('MAIL_FROM：要寫成 name@example.com 或「名稱 <name@example.com>」')
  const mail_pickup = text('MAIL_PICKUP') ?? 'false'
  if (mail_pickup !== 'true' && mail_pickup !== 'false')
    problems.push(`MAIL_PICKUP=${mail_pickup}：要是 true 或 false`)
  const log_level = text('LOG_LEVEL') ?? 'info'
  if (!isLevel(log_level)) problems.push(`LOG_LEVEL=${log_level}：要是 ${LOG_LEVELS.join('、')} 之一`)
  const origin =
    public_url && URL.canParse(public_url)
      ? new URL(public_url).origin
      : `http://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}`
  const config: Config = {
    host,
    port,
    public_url: origin,
    data_dir: resolve(text('DATA_DIR') ?? join(ROOT, 'data')),
    storage: readStorage(text('STORAGE_URL'), problem),
    keys: readKeys(text('KEYS'), problem),
    dist_dir: resolve(text('DIST_DIR') ?? join(ROOT, 'dist')),
    database_url: address('DATABASE_URL', ['postgres:', 'postgresql:']),
    database_read_url: address('DATABASE_READ_URL', ['postgres:', 'postgresql:']),
    database_patience_ms: number('DATABASE_PATIENCE_MS', 2_000, 500, 600_000),
    smtp_url: address('SMTP_URL', ['smtp:', 'smtps:']),
    mail_pickup: mail_pickup === 'true',
    mail_from,
    trusted_proxies: readNetworks('TRUSTED_PROXIES', text('TRUSTED_PROXIES'), problem),
    outgoing_allow: readNetworks('OUTGOING_ALLOW', text('OUTGOING_ALLOW'), problem),
    ...readChannels(text, problem, { public_url: origin, mail_from }),
    log_level: isLevel(log_level) ? log_level : 'info',
    contact_links: readContactLinks(text('CONTACT_LINKS'), problem),
    oauth_clients: readClients(text('OAUTH_CLIENTS'), problem),
    sso_providers: readProviders(text('SSO_PROVIDERS'), problem),
    hook_rate_per_minute: number('HOOK_RATE_PER_MINUTE', 60, 1, 100_000_000),
    hook_burst: number('HOOK_BURST', 300, 1, 100_000_000),
    notify_first_retry_ms: number('NOTIFY_FIRST_RETRY_MS', 2_000, 10, 600_000),
    limit_factor: number('LIMIT_FACTOR', 1, 1, 1_000_000),
    connections_per_address:
      text('CONNECTIONS_PER_ADDRESS') === null ? null : number('CONNECTIONS_PER_ADDRESS', 1, 1, 1_000_000),
    disk_low_mb: number('DISK_LOW_MB', 1_024, 0, 1_000_000_000),
    drain_ms: number('DRAIN_MS', 10_000, 0, 600_000),
    session_days: number('SESSION_DAYS', 180, 1, 3_650),
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

function isLevel(value: string): value is LogLevel {
  return (LOG_LEVELS as readonly string[]).includes(value)
}
