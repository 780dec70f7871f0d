// What the channels of notifications need from outside: keys of accounts, and where the services of others stand.
import { createECDH } from 'node:crypto'

/** Keys and addresses of the channels; null = this server does not offer the channel. */
export interface ChannelConfig {
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
export function readChannels(
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

function isContact(value: string): boolean {
  return /^mailto:[^\s@]+@[^\s@]+$/.test(value) || (value.startsWith('https://') && URL.canParse(value))
}
