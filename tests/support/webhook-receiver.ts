// A robot that follows a strategy: takes signed webhooks and checks them with the library of Standard Webhooks.
import { Webhook } from 'standardwebhooks'
import { type Scripted, startScripted } from './scripted.ts'

export interface Received {
  /** webhook-id: the same one again is the same message again. */
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: unknown
  readonly at: number
}

export interface WebhookReceiver extends Scripted {
  /** Each message once. */
  readonly messages: Received[]
  /** Ids that came more than once. */
  readonly repeated: string[]
  /** From now on signed with this secret (whsec_…); the one before stays valid where `both`. */
  expects(secret: string, both?: boolean): void
}

const TYPES = /^(signal\.created|signal\.voided|test)$/

export async function startWebhookReceiver(
  options: { secret?: string; host?: string; port?: number } = {},
): Promise<WebhookReceiver> {
  let keys = options.secret === undefined ? [] : [new Webhook(options.secret)]
  const messages: Received[] = []
  const repeated: string[] = []
  const { host, port } = options
  const server = await startScripted({
    host,
    port,
    take({ headers, body, method, at, name }) {
      const no = (status: number, why: string) => {
        wrong.push(`webhook: ${why}`)
        return { status, body: why }
      }
      if (method !== 'POST') return no(405, `${method} instead of POST`)
      if (!/^application\/json\b/.test(headers['content-type'] ?? '')) return no(415, `${name}: not JSON`)
      const said = Object.fromEntries(
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((key) => [
          key,
          String(headers[key] ?? ''),
        ]),
      )
      const content = verified(keys, body.toString('utf8'), said)
      if (content instanceof Error) return no(401, content.message)
      const { type, timestamp, data } = content as Partial<Received>
      if (typeof type !== 'string' || !TYPES.test(type)) return no(400, `type ${String(type)}`)
      if (typeof timestamp !== 'string' || Number.isNaN(Date.parse(timestamp))) return no(400, 'no timestamp')
      if (data === undefined) return no(400, 'no data')
      const id = said['webhook-id'] as string
      if (messages.some((one) => one.id === id)) repeated.push(id)
      else messages.push({ id, type, timestamp, data, at })
      return { status: 204 }
    },
    refuse: ({ status, retry_after }) => ({
      status,
      ...(retry_after !== undefined && { headers: { 'retry-after': String(retry_after) } }),
    }),
  })
  const { wrong } = server
  return {
    ...server,
    messages,
    repeated,
    expects(secret, both = false) {
      keys = [new Webhook(secret), ...(both ? keys : [])]
    },
  }
}

/** The content of a message that one of the keys has signed, else why none has. */
function verified(keys: readonly Webhook[], body: string, headers: Record<string, string>): unknown {
  let last = new Error('no secret to check it with')
  for (const key of keys)
    try {
      return key.verify(body, headers) ?? {}
    } catch (error) {
      last = error instanceof Error ? error : new Error(String(error))
    }
  return last
}
