// Webhooks of Discord: channels that take messages at a secret address, with the limits of the real one.
import { randomBytes, randomInt } from 'node:crypto'
import { wrongContent } from './discord-rules.ts'
import { jsonOf, type Reply, type Scripted, startScripted } from './scripted.ts'

export interface DiscordSent {
  readonly webhook_id: string
  readonly content: string
  readonly embeds: readonly Record<string, unknown>[]
  readonly username: string | null
  readonly at: number
}

export interface DiscordWebhook {
  readonly id: string
  /** As a person copies it out of Discord: at discord.com, whatever DISCORD_API_ROOT is. */
  readonly url: string
  /** Somebody removes it in Discord: 404 from now on. */
  remove(): void
}

export interface DiscordApi extends Omit<Scripted, 'url'> {
  /** For DISCORD_API_ROOT. */
  readonly root: string
  readonly sent: DiscordSent[]
  webhook(name?: string): DiscordWebhook
}

const PATH = /^\/api(?:\/v\d+)?\/webhooks\/(\d+)\/([\w-]+)$/

export async function startDiscordApi(options: { port?: number } = {}): Promise<DiscordApi> {
  const hooks = new Map<string, { token: string; name: string; channel_id: string }>()
  const sent: DiscordSent[] = []
  const no = (status: number, code: number, message: string, more?: object): Reply => ({
    status,
    body: { message, code, ...more },
  })

  const { url: root, ...server } = await startScripted({
    ...options,
    name: (path, method) => (PATH.test(path) ? (method === 'POST' ? 'execute' : 'webhook') : path),
    take(arrival) {
      const [, id = '', token = ''] = PATH.exec(arrival.path) ?? []
      const hook = hooks.get(id)
      if (!hook) return no(404, 10_015, 'Unknown Webhook')
      if (hook.token !== token) return no(401, 50_027, 'Invalid Webhook Token')
      const info = { id, type: 1, name: hook.name, channel_id: hook.channel_id, guild_id: '1', token }
      if (arrival.method === 'GET') return { status: 200, body: info }
      if (arrival.method !== 'POST') {
        wrong.push(`${arrival.method}: neither looks at a webhook nor sends`)
        return no(405, 0, '405: Method Not Allowed')
      }
      const payload = jsonOf(arrival, wrong)
      const why = wrongContent(payload)
      if (why !== null) {
        wrong.push(`execute: ${why}`)
        return no(400, 50_035, 'Invalid Form Body', { errors: { _errors: [{ message: why }] } })
      }
      const { allowed_mentions } = payload as {
        allowed_mentions?: { parse?: unknown[]; users?: unknown[]; roles?: unknown[] }
      }
      // Discord would take it, and a strategy called @everyone would wake a whole server.
      const pings = [allowed_mentions?.users, allowed_mentions?.roles].some((list) => list && list.length > 0)
      if (allowed_mentions?.parse?.length !== 0 || pings)
        wrong.push('execute: allowed_mentions does not say that nobody is pinged ({"parse": []})')
      const { content = '', embeds = [], username = null } = payload as Partial<DiscordSent>
      sent.push({ webhook_id: id, content, embeds, username, at: arrival.at })
      if (arrival.query.get('wait') !== 'true') return { status: 204 }
      return { status: 200, body: { id: snowflake(), channel_id: hook.channel_id, content, embeds } }
    },
    refuse({ status, retry_after }) {
      if (status !== 429)
        return status === 404 ? no(404, 10_015, 'Unknown Webhook') : no(status, 0, `fault ${status}`)
      const after = retry_after ?? 1
      const headers = { 'retry-after': String(Math.ceil(after)), 'x-ratelimit-reset-after': String(after) }
      return { ...no(429, 0, 'You are being rate limited.', { retry_after: after, global: false }), headers }
    },
  })
  const { wrong } = server
  return {
    ...server,
    root,
    sent,
    webhook(name = '凌波訊號') {
      const id = snowflake()
      const token = randomBytes(51).toString('base64url')
      hooks.set(id, { token, name, channel_id: snowflake() })
      return {
        id,
        url: `https://discord.com/api/webhooks/${id}/${token}`,
        remove: () => void hooks.delete(id),
      }
    },
  }
}

/** Numbers as Discord has them: more digits than a number of JavaScript keeps. */
const snowflake = () =>
  `1${String(randomInt(10 ** 9)).padStart(9, '0')}${String(randomInt(10 ** 9)).padStart(9, '0')}`
