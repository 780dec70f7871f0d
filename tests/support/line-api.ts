// The Messaging API of LINE: one official account, its friends, its free messages of the month, and webhooks it signs.
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { wrongMessages } from './line-rules.ts'
import { type Arrival, jsonOf, type Reply, type Scripted, startScripted } from './scripted.ts'

export interface LineSent {
  readonly to: string
  readonly messages: readonly Record<string, unknown>[]
  readonly retry_key: string | null
  /** Came as an answer to something the friend wrote: costs no free message. */
  readonly reply: boolean
  /** False where the friend has blocked the account: LINE says 200 all the same. */
  readonly shown: boolean
  readonly at: number
}

export interface LineFriend {
  readonly user_id: string
  readonly name: string
  /** Each gives the status the webhook was answered with, 0 = nobody there. */
  says(text: string): Promise<number>
  blocks(): Promise<number>
  unblocks(): Promise<number>
}

export interface LineApi extends Omit<Scripted, 'url'> {
  /** For LINE_API_ROOT, LINE_CHANNEL_TOKEN and LINE_CHANNEL_SECRET. */
  readonly root: string
  readonly token: string
  readonly secret: string
  readonly basic_id: string
  readonly sent: LineSent[]
  /** Free messages a month, and how many of them are used; null = without limit. */
  quota: { limit: number | null; used: number }
  friend(name: string): LineFriend
  /** Where its webhooks go; null = nowhere. */
  webhook: string | null
  /** Sends a webhook as it stands, with a signature of its own choosing. */
  deliver(body: string, signature?: string): Promise<number>
  sign(body: string): string
}

export async function startLineApi(options: { port?: number } = {}): Promise<LineApi> {
  const token = randomBytes(96).toString('base64')
  const secret = randomBytes(16).toString('hex')
  const destination = `U${randomBytes(16).toString('hex')}`
  const friends = new Map<string, { name: string; blocked: boolean }>()
  const replies = new Map<string, string>()
  const accepted = new Map<string, { request: string; body: string }>()
  const sent: LineSent[] = []
  const line = { quota: { limit: 200, used: 0 } as LineApi['quota'], webhook: null as string | null }

  const no = (status: number, message: string, details?: object): Reply => ({
    status,
    body: { message, ...(details && { details }) },
  })
  /** A refusal that no correct sender meets. */
  const bad = (name: string, why: string): Reply => {
    wrong.push(`${name}: ${why}`)
    return no(400, 'The request body has 1 error(s)', [{ message: why }])
  }
  const taken = (to: string, messages: unknown, key: string | null, reply: boolean, at: number): Reply => {
    const list = messages as Record<string, unknown>[]
    sent.push({ to, messages: list, retry_key: key, reply, shown: friends.get(to)?.blocked === false, at })
    const sentMessages = list.map(() => ({ id: String(sent.length), quoteToken: randomUUID() }))
    return { status: 200, body: { sentMessages } }
  }

  function push(arrival: Arrival): Reply {
    const {
      to,
      messages,
      notificationDisabled: _,
      customAggregationUnits: __,
      ...more
    } = jsonOf(arrival, wrong)
    const why = wrongMessages(messages)
    if (why !== null) return bad('push', why)
    if (Object.keys(more).length > 0) return bad('push', `unknown property ${Object.keys(more).join(', ')}`)
    if (typeof to !== 'string' || !/^[UCR][0-9a-f]{32}$/.test(to))
      return bad('push', "The property, 'to', is invalid")
    const key = arrival.headers['x-line-retry-key'] ?? null
    if (typeof key !== 'string') wrong.push('push: no X-Line-Retry-Key: a second try could arrive twice')
    else if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(key))
      return bad('push', 'Invalid retry key')
    else {
      const before = accepted.get(key)
      if (before && before.body !== arrival.body.toString())
        wrong.push('push: one retry key for two messages')
      if (before) {
        const headers = { 'x-line-accepted-request-id': before.request }
        return { ...no(409, 'The retry key is already accepted'), headers }
      }
    }
    if (!friends.has(to)) return no(400, 'Failed to send messages')
    const { quota } = line
    if (quota.limit !== null && quota.used >= quota.limit)
      return no(429, 'You have reached your monthly limit.')
    // Each message object of one call counts once for each who gets it; to whom it is not shown does not count.
    if (friends.get(to)?.blocked === false) quota.used++
    const request = randomUUID()
    if (typeof key === 'string') accepted.set(key, { request, body: arrival.body.toString() })
    return {
      ...taken(to, messages, key as string | null, false, arrival.at),
      headers: { 'x-line-request-id': request },
    }
  }

  function reply(arrival: Arrival): Reply {
    const { replyToken, messages } = jsonOf(arrival, wrong)
    const why = wrongMessages(messages)
    if (why !== null) return bad('reply', why)
    const to = replies.get(String(replyToken))
    if (to === undefined) return bad('reply', 'Invalid reply token')
    replies.delete(String(replyToken))
    return taken(to, messages, null, true, arrival.at)
  }

  const calls: Record<string, (arrival: Arrival) => Reply> = {
    'POST /v2/bot/message/push': push,
    'POST /v2/bot/message/reply': reply,
    'GET /v2/bot/message/quota': () => ({
      status: 200,
      body: line.quota.limit === null ? { type: 'none' } : { type: 'limited', value: line.quota.limit },
    }),
    'GET /v2/bot/message/quota/consumption': () => ({ status: 200, body: { totalUsage: line.quota.used } }),
    'GET /v2/bot/info': () => ({
      status: 200,
      body: {
        userId: destination,
        basicId: basic_id,
        displayName: '凌波',
        chatMode: 'bot',
        markAsReadMode: 'auto',
      },
    }),
  }
  const basic_id = '@lingbo-test'

  const sign = (body: string) => createHmac('sha256', secret).update(body).digest('base64')
  const deliver = async (body: string, signature = sign(body)): Promise<number> => {
    if (line.webhook === null) return 0
    const headers = { 'content-type': 'application/json; charset=utf-8', 'x-line-signature': signature }
    const sending = fetch(line.webhook, { method: 'POST', headers, body })
    return sending.then(
      (answer) => answer.status,
      () => 0,
    )
  }
  // By its moments LINE tells what came later: no two events have the same.
  let last_ms = 0
  const tell = (userId: string, event: object) => {
    last_ms = Math.max(Date.now(), last_ms + 1)
    const replyToken = randomUUID().replaceAll('-', '')
    replies.set(replyToken, userId)
    const base = { mode: 'active', timestamp: last_ms, source: { type: 'user', userId } }
    const webhookEventId = randomUUID()
    const events = [
      { ...base, webhookEventId, deliveryContext: { isRedelivery: false }, replyToken, ...event },
    ]
    return deliver(JSON.stringify({ destination, events }))
  }

  const { url: root, ...server } = await startScripted({
    ...options,
    name: (path) => path.replace('/v2/bot/', ''),
    take(arrival) {
      if (arrival.headers.authorization !== `Bearer ${token}`) {
        wrong.push(`${arrival.name}: not authorized`)
        return no(
          401,
          'Authentication failed. Confirm that the access token in the authorization header is valid.',
        )
      }
      const profile = /^\/v2\/bot\/profile\/(\w+)$/.exec(arrival.path)?.[1]
      const friend = friends.get(profile ?? '')
      if (friend && !friend.blocked)
        return { status: 200, body: { userId: profile, displayName: friend.name } }
      if (profile) return no(404, 'Not found')
      const call = calls[`${arrival.method} ${arrival.path}`]
      if (call) return call(arrival)
      wrong.push(`${arrival.method} ${arrival.path}: no such call here`)
      return no(404, 'Not found')
    },
    refuse: ({ status, retry_after }) => ({
      ...no(
        status,
        status === 429 ? 'The API rate limit has been exceeded. Try again later.' : `fault ${status}`,
      ),
      ...(retry_after !== undefined && { headers: { 'retry-after': String(retry_after) } }),
    }),
  })
  const { wrong } = server
  return Object.assign(line, {
    ...server,
    root,
    token,
    secret,
    basic_id,
    sent,
    sign,
    deliver,
    friend(name: string): LineFriend {
      const user_id = `U${randomBytes(16).toString('hex')}`
      const friend = { name, blocked: false }
      friends.set(user_id, friend)
      return {
        user_id,
        name,
        says: (text) =>
          tell(user_id, {
            type: 'message',
            message: { type: 'text', id: String(Date.now()), quoteToken: 'q', text },
          }),
        blocks: () => {
          friend.blocked = true
          return tell(user_id, { type: 'unfollow', replyToken: undefined })
        },
        unblocks: () => {
          friend.blocked = false
          return tell(user_id, { type: 'follow', follow: { isUnblocked: true } })
        },
      }
    },
  })
}
