// LINE: a push message of the server's official account. Its free messages are counted and shared; when none is left for this
// person the next channel comes.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { bindLine, getLineBinding, lineUpdates, unbindLine } from '#contract/binding.ts'
import { ApiError } from '#contract/errors.ts'
import type { App, Tx } from '../../context.ts'
import type { Db } from '../../db/schema.ts'
import { inTransaction } from '../../events/append.ts'
import { handle, handleSigned, type Route } from '../../http/handle.ts'
import { type OutgoingAnswer, OutgoingError } from '../../outgoing.ts'
import { bindingOf, confirmChat, makeCode, receiverOf, setState, takeCode, unbindAll } from '../binding.ts'
import type { Channel, SendResult } from '../channel.ts'
import { openReceiver, readFact, setConfig, storeFact, swapFact } from '../receivers.ts'
import { textOf } from '../words.ts'

/** What is left is shown also while nothing is sent. */
const LOOK_MS = 30 * 60_000

export const line: Channel = {
  id: 'line',
  receivers: 'rows',
  gathers: true,
  rests: true,
  confirms: true,
  pace: { at_once: 10, per_receiver_ms: 0, per_second: 100 },
  unavailable: (app) => (hasLine(app) ? null : '此伺服器未設定 LINE 官方帳號'),
  async send(app, { address, uid }, message, signal): Promise<SendResult> {
    const left = await leftToday(app)
    if (left === 0) return { kind: 'refused', reason: USED_UP, ours: true }
    if (left !== null && (await shareFor(app.db, uid, left, app.now())) === 0)
      return { kind: 'refused', reason: OWN_USED_UP, ours: true }
    const text = textOf(message)
    try {
      const answer = await callLine(app, 'message/push', {
        body: { to: address, messages: [{ type: 'text', text }] },
        headers: { 'x-line-retry-key': retryKey(`${message.key} ${address} ${text}`) },
        signal,
      })
      const result = resultOf(answer)
      if (answer.status === 200) await Promise.all([countOne(app), countFor(app.db, uid, app.now())])
      if (isUsedUp(answer)) await countOne(app, true)
      return result
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error
      return { kind: 'again', reason: `LINE 沒有回應：${error.reason}` }
    }
  },
  async left({ now }, db, uid) {
    const left = await leftNow(db)
    if (left === null) return null
    return { count: await shareFor(db, uid, left, now()), again: left === 0 ? 'month' : 'day' }
  },
  run: (app) => watchQuota(app),
}

/**
 * A UUID that the same message has at every try, and no other message: what was gathered anew since an unanswered try is another
 * one, for under the old key LINE would take it for sent.
 */
export function retryKey(of: string): string {
  const hex = createHash('sha256').update(of).digest('hex')
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(18, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

function watchQuota(app: App): () => Promise<void> {
  const ends = new AbortController()
  const running = (async () => {
    while (!ends.signal.aborted) {
      await refresh(app)
      await sleep(LOOK_MS, undefined, { signal: ends.signal, ref: false }).catch(() => undefined)
    }
  })()
  return () => {
    ends.abort()
    return running
  }
}

// Calls to LINE, through the one way for outgoing calls, and what its answers mean. What gives no answer throws: nobody guesses what
// it would have been.

const CALL_MS = 10_000

type Ground = Pick<App, 'config' | 'outgoing'>

/** Whether this server has an official account. */
const hasLine = ({ config }: Pick<App, 'config'>): boolean =>
  config.line_channel_token !== null && config.line_channel_secret !== null

function callLine(
  { config, outgoing }: Ground,
  path: string,
  more: { body?: object; headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<OutgoingAnswer> {
  return outgoing.send({
    url: `${config.line_api_root}/v2/bot/${path}`,
    method: more.body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${config.line_channel_token}`,
      ...(more.body && { 'content-type': 'application/json' }),
      ...more.headers,
    },
    ...(more.body && { body: JSON.stringify(more.body) }),
    ...(more.signal && { signal: more.signal }),
    timeout_ms: CALL_MS,
  })
}

/** What a question was answered with; throws on anything but 200 with an object. */
async function askLine(app: Ground, path: string): Promise<Readonly<Record<string, unknown>>> {
  const { status, body } = await callLine(app, path)
  if (status !== 200) throw new Error(`LINE answers ${status} to ${path}`)
  return JSON.parse(body) as Record<string, unknown>
}

/** 6020 where the server has no account. */
function requireLine(app: Pick<App, 'config'>): void {
  if (!hasLine(app)) throw new ApiError(6020, { text: '此伺服器未設定 LINE 官方帳號' })
}

/** The name in links to the account (`@lingbo`), asked once of each token. ApiError 5030 while LINE cannot be reached. */
export async function basicId(app: App): Promise<string> {
  const kept = await knownId(app, app.db)
  if (kept !== null) return kept
  try {
    const { basicId: id } = await askLine(app, 'info')
    if (typeof id !== 'string') throw new Error('LINE says no basic id')
    await storeFact(app.db, 'line', idFact(app), id)
    return id
  } catch (error) {
    app.log.warn({ err: error }, 'line: cannot ask for the name of the account')
    throw new ApiError(5030, { text: '現在連不到 LINE，請稍後再試', retry_after_s: 10 })
  }
}

/** The same when it was ever asked, else null. */
function knownId(app: Pick<App, 'config' | 'keys'>, db: Db): Promise<string | null> {
  return readFact(db, 'line', idFact(app))
}

/** Another token is another account. */
function idFact({ config, keys }: Pick<App, 'config' | 'keys'>): string {
  return `name ${keys.mark(`line ${config.line_channel_token}`).slice(0, 16)}`
}

// What LINE's answer means for a message. A message it has already taken (409) went: the retry key makes a second try safe.

export const USED_UP = '這台伺服器本月的 LINE 免費訊息已經用完，下個月恢復，這個月請用其他通道'
const OWN_USED_UP =
  '你本月的 LINE 訊息先用完了，剩下的留給這台伺服器的其他人，之後每天會放出一些；這之前請用其他通道'
/** Wrong token: the operator's matter, so that nothing is lost meanwhile. */
const OURS_AGAIN_MS = 60_000

const isUsedUp = ({ status, body }: OutgoingAnswer): boolean => status === 429 && /monthly limit/i.test(body)

export function resultOf(answer: OutgoingAnswer): SendResult {
  const { status, body, headers } = answer
  if ((status >= 200 && status < 300) || status === 409) return { kind: 'sent' }
  if (isUsedUp(answer)) return { kind: 'refused', reason: USED_UP, ours: true }
  if (status === 429) {
    const seconds = Number(headers['retry-after'])
    const after_ms = Number.isFinite(seconds) && seconds > 0 ? { after_ms: seconds * 1_000 } : {}
    return { kind: 'again', reason: 'LINE 要求稍後再送', all: true, ...after_ms }
  }
  if (status >= 500) return { kind: 'again', reason: `LINE 暫時無法服務（${status}）` }
  if (status === 401 || status === 403)
    return { kind: 'again', reason: '這台伺服器的 LINE 存取令牌無效', after_ms: OURS_AGAIN_MS, all: true }
  if (status === 400 && /failed to send messages|property, 'to'/i.test(body))
    return { kind: 'lost', state: 'gone', reason: '找不到這個 LINE 使用者，請重新綁定' }
  return { kind: 'refused', reason: `LINE 不接受這則訊息（${status}）` }
}

// The free messages of the month: what LINE says of them, kept for all processes, and one less with each message that went; and how
// they are shared (docs/decisions/channels.md): each account with LINE has the same share; what the others have not used of theirs is kept for
// them, every day a little less, so that nothing is left over at the end.

const NAME = 'quota'
/** LINE counts with a delay of its own; it is asked again so often. */
const FRESH_MS = 10 * 60_000
const TRIES = 5

interface Quota {
  /** null = the account pays, or has no limit. */
  readonly limit: number | null
  readonly used: number
  /** When LINE said so, in milliseconds since 1970. */
  readonly at: number
}

/** Messages that may still go, as it is kept; null = no limit known. */
async function leftNow(db: Db): Promise<number | null> {
  return leftOf(read(await readFact(db, 'line', NAME)))
}

/** The same; LINE is asked when what is kept is old. Without its answer what is kept stands. */
async function leftToday(app: App): Promise<number | null> {
  const kept = read(await readFact(app.db, 'line', NAME))
  if (kept && Math.abs(app.now() - kept.at) < FRESH_MS) return leftOf(kept)
  return leftOf((await refresh(app)) ?? kept)
}

/** Asks LINE; null when it does not answer. */
export async function refresh(app: App): Promise<Quota | null> {
  try {
    const [quota, consumption] = await Promise.all([
      askLine(app, 'message/quota'),
      askLine(app, 'message/quota/consumption'),
    ])
    const limit = quota['type'] === 'limited' ? Number(quota['value']) : null
    const fresh: Quota = { limit, used: Number(consumption['totalUsage']), at: app.now() }
    await storeFact(app.db, 'line', NAME, JSON.stringify(fresh))
    return fresh
  } catch (error) {
    app.log.warn({ err: error }, 'line: cannot ask for the messages that are left')
    return null
  }
}

/** One message went; `all` = LINE says that none is left. */
async function countOne({ db }: Pick<App, 'db'>, all = false): Promise<void> {
  for (let tried = 0; tried < TRIES; tried++) {
    const value = await readFact(db, 'line', NAME)
    const kept = read(value)
    if (!kept || kept.limit === null) return
    const used = all ? Math.max(kept.limit, kept.used) : kept.used + 1
    if (await swapFact(db, 'line', NAME, value, JSON.stringify({ ...kept, used }))) return
  }
}

function read(value: string | null): Quota | null {
  return value === null ? null : (JSON.parse(value) as Quota)
}

function leftOf(quota: Quota | null): number | null {
  return quota === null || quota.limit === null ? null : Math.max(0, quota.limit - quota.used)
}

/** LINE's month begins in Tokyo. */
const TOKYO_MS = 9 * 3_600_000

/** What an account may still take; `kept_for_others` is the part of the month that is left, 1 on its first day. */
export function shareOf(
  {
    left,
    mine,
    others,
  }: { readonly left: number; readonly mine: number; readonly others: readonly number[] },
  kept_for_others: number,
): number {
  const all = others.reduce((sum, used) => sum + used, left + mine)
  const share = Math.floor(all / (others.length + 1))
  const kept = others.reduce((sum, used) => sum + Math.max(0, share - used), 0)
  return Math.max(0, left - Math.floor(kept * kept_for_others))
}

/** `2026-11` and how much of it is left at this moment, today counted in. */
function monthOf(now_ms: number): { readonly month: string; readonly rest: number } {
  const there = new Date(now_ms + TOKYO_MS)
  const days = new Date(Date.UTC(there.getUTCFullYear(), there.getUTCMonth() + 1, 0)).getUTCDate()
  return { month: there.toISOString().slice(0, 7), rest: (days - there.getUTCDate() + 1) / days }
}

/** What this account may still take of the `left` messages of the server. */
async function shareFor(db: Db, uid: string, left: number, now_ms: number): Promise<number> {
  const { month, rest } = monthOf(now_ms)
  const rows = await db
    .selectFrom('channel_receivers as receiver')
    .leftJoin('channel_usage as usage', (join) =>
      join
        .onRef('usage.uid', '=', 'receiver.uid')
        .onRef('usage.channel', '=', 'receiver.channel')
        .on('usage.month', '=', month),
    )
    .select(['receiver.uid', 'usage.used'])
    .distinct()
    .where('receiver.channel', '=', 'line')
    .where('receiver.state', 'in', ['bound', 'failing'])
    .execute()
  const used = new Map(rows.map((row) => [row.uid, row.used ?? 0]))
  const mine = used.get(uid) ?? 0
  used.delete(uid)
  return shareOf({ left, mine, others: [...used.values()] }, rest)
}

/** A message of this account went. */
export async function countFor(db: Db, uid: string, now_ms: number): Promise<void> {
  const { month } = monthOf(now_ms)
  await db
    .insertInto('channel_usage')
    .values({ channel: 'line', month, uid, used: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['channel', 'month', 'uid'])
        .doUpdateSet((eb) => ({ used: eb('channel_usage.used', '+', 1) })),
    )
    .execute()
}

/** Forgets what was counted in months that are over; gives how many rows. */
export async function tidyUsage({ db, now }: Pick<App, 'db' | 'now'>): Promise<number> {
  const { month } = monthOf(now())
  const gone = db.deleteFrom('channel_usage').where('channel', '=', 'line').where('month', '<', month)
  return Number((await gone.executeTakeFirstOrThrow()).numDeletedRows)
}

// Binding LINE, and what LINE sends here of its friends: a code that binds, the account blocked or let in again. Answers are replies,
// which cost nothing.

export function lineRoutes(app: App): Route[] {
  const side = (id: string | null) => ({
    channel: 'line' as const,
    available: hasLine(app),
    linkOf: (code: string) =>
      id === null
        ? null
        : `https://line.me/R/oaMessage/${encodeURIComponent(id)}/?${encodeURIComponent(`${words.BIND} ${code}`)}`,
  })
  const refuse = () => new ApiError(4010, { msg: 'signature missing or wrong' })
  return [
    handle(app, bindLine, {
      async prepare({ input: { confirm }, actor }) {
        requireLine(app)
        if (confirm === undefined) await app.limits.take('bind', actor.uid)
        return basicId(app)
      },
      async run({ input: { confirm }, actor, tx, prepared }) {
        // What is bound is said here: a message there would be one of the month's.
        if (confirm === undefined) await makeCode(app, tx, actor, 'line')
        else await confirmChat(app, tx, actor, 'line', confirm)
        return bindingOf(app, tx.db, actor.uid, side(prepared), tx.at)
      },
    }),

    handle(app, getLineBinding, async ({ actor, tx }) =>
      bindingOf(app, tx.db, actor.uid, side(hasLine(app) ? await knownId(app, tx.db) : null), tx.at),
    ),

    handle(app, unbindLine, async ({ actor, tx }) => {
      requireLine(app)
      await unbindAll(tx, actor.uid, 'line')
      return null
    }),

    handleSigned(app, lineUpdates, {
      admit(headers) {
        requireLine(app)
        if (!headers.has('x-line-signature')) throw refuse()
      },
      prove(headers, bytes) {
        const secret = app.config.line_channel_secret ?? ''
        if (!isSigned(secret, bytes, headers.get('x-line-signature'))) throw refuse()
      },
      run: ({ events }) => takeEvents(app, events),
    }),
  ]
}

// Whether a post is LINE's: HMAC-SHA-256 of the bytes as they came, by the channel's secret.

function isSigned(secret: string, bytes: Uint8Array, header: string | null): boolean {
  const right = createHmac('sha256', secret).update(bytes).digest()
  const given = Buffer.from(header ?? '', 'base64')
  return given.length === right.length && timingSafeEqual(given, right)
}

// What LINE tells of its friends: a code that binds, the account blocked or let in again. Answers are replies, which cost nothing.

/** The fields that are looked at; LINE sends more. */
interface LineEvent {
  readonly type: string
  readonly replyToken?: string
  /** Milliseconds since 1970. */
  readonly timestamp?: number
  readonly source?: { readonly type?: string; readonly userId?: string }
  readonly message?: { readonly type?: string; readonly text?: string }
}
type Text = { type: 'text'; text: string; quickReply?: object }

const CODE = /(?:^|\s)([\w-]{22})$/

/** Does what the events of one post ask for, in their order. */
async function takeEvents(app: App, events: readonly unknown[]): Promise<void> {
  for (const event of events as LineEvent[]) {
    const { type, source, message, replyToken } = event
    // Only people are bound: in groups the account hears what is none of its business.
    if (source?.type !== 'user' || typeof source.userId !== 'string') continue
    const user = source.userId
    if (type === 'unfollow' || type === 'follow') await followed(app, user, type === 'follow', event)
    else if (type === 'message') await heard(app, user, message?.text ?? '', replyToken)
  }
}

async function followed(
  app: App,
  user: string,
  is_friend: boolean,
  { replyToken: token, timestamp }: LineEvent,
) {
  await inTransaction(app, async (tx) => {
    const row = await receiverOf(app, tx.db, 'line', user)
    if (row) {
      if (isStale(openReceiver(app, row).config, row.created_at, timestamp)) return
      await setConfig(app, tx.db, row, { followed_at: timestamp })
    }
    if (row && !is_friend) await setState(tx, row, 'blocked', words.BLOCKED)
    else if (row && row.state !== 'bound') await setState(tx, row, 'bound', null)
    else if (!row && is_friend) reply(app, tx, token, text(words.unbound(app.config.public_url)))
  })
}

/** LINE sends again what it thinks was not taken, also after what came later: the order is that of its own clock. */
function isStale(config: Readonly<Record<string, unknown>>, bound_at: string, timestamp = Infinity): boolean {
  const { followed_at } = config
  if (typeof followed_at === 'number' && timestamp <= followed_at) return true
  return timestamp < Date.parse(bound_at) - CLOCKS_MS
}
/** Clocks differ. */
const CLOCKS_MS = 60_000

async function heard(app: App, user: string, line: string, token: string | undefined) {
  const heard = line.trim()
  const code = CODE.exec(heard)?.[1]
  const name = code === undefined ? null : await nameOf(app, user)
  await inTransaction(app, async (tx) => {
    if (code === undefined) {
      const row = await receiverOf(app, tx.db, 'line', user)
      const { public_url } = app.config
      return reply(app, tx, token, text(row ? words.known(public_url) : words.unbound(public_url)))
    }
    const chat = { channel: 'line', address: user, name, config: {} } as const
    const bound = await takeCode(app, tx, chat, code, heard.startsWith(words.REBIND))
    const sheet = `${app.config.public_url}/signal-notification?tab=setting&channel=line`
    if (bound.kind === 'bound') reply(app, tx, token, text(words.bound(bound.name)))
    else if (bound.kind === 'waiting') reply(app, tx, token, text(words.waiting(sheet)))
    else if (bound.kind !== 'taken') reply(app, tx, token, text(words.NOT_BOUND[bound.kind]))
    else {
      const action = { type: 'message', label: words.REBIND, text: `${words.REBIND} ${code}` }
      const quickReply = { items: [{ type: 'action', action }] }
      reply(app, tx, token, { ...text(words.taken(bound.name)), quickReply })
    }
  })
}

/** How the friend is called there; null when LINE does not say. */
async function nameOf(app: App, user: string): Promise<string | null> {
  try {
    const { displayName } = await askLine(app, `profile/${encodeURIComponent(user)}`)
    return typeof displayName === 'string'
      ? [...displayName.replace(/\p{C}/gu, '')].slice(0, 80).join('')
      : null
  } catch (error) {
    app.log.debug({ err: error }, 'line: no name of a friend')
    return null
  }
}

const text = (words: string): Text => ({ type: 'text', text: words })

/** After the commit; a reply that is lost is not said again, for its token is good once. */
function reply(app: App, tx: Tx, replyToken: string | undefined, message: Text): void {
  if (replyToken === undefined) return
  tx.afterCommit(() => {
    callLine(app, 'message/reply', { body: { replyToken, messages: [message] } }).then(
      ({ status }) => status !== 200 && app.log.warn({ status }, 'line: a reply was refused'),
      (error: unknown) => app.log.warn({ err: error }, 'line: a reply is lost'),
    )
  })
}

// What the official account says.

const words = {
  /** Before a code: it binds; with the second word also a chat of another account. */
  BIND: '綁定',
  REBIND: '改綁',
  NOT_BOUND: {
    unknown: '這個綁定代碼不正確或已被新的取代，請回到凌波重新產生。',
    expired: '這個綁定代碼已過期（10 分鐘內有效），請回到凌波重新產生。',
    used: '這裡已經綁定好了，新訊號會送到這裡。',
    spoilt: '有另一個帳號也用了這個代碼，為了安全已經作廢。請回到凌波重新產生。',
  },
  BLOCKED: '你在 LINE 封鎖了官方帳號，請解除封鎖後重新綁定',
  waiting: (page: string): string =>
    `收到。最後一步：回到凌波按「是我，連結」，之後新訊號會送到這裡。\n${page}`,
  bound: (name: string): string => `綁定成功：${name}\n新訊號會送到這裡。`,
  taken: (name: string): string =>
    `這個 LINE 已綁定另一個凌波帳號。要改成「${name}」請按下面的「改綁」。改綁後，原本的帳號不再送訊息到這裡。`,
  unbound: (url: string): string =>
    `這裡還沒有連結凌波帳號。請登入凌波，在「訊號通知 → 設定」按「綁定 LINE」。\n${url}/signal-notification`,
  known: (url: string): string =>
    `已連結凌波，新訊號會送到這裡。要看紀錄或解除綁定，請到凌波：\n${url}/signal-notification`,
} as const
