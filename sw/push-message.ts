// What came in a push, as far as it is ours: the shape of server/notify/channels/push.ts (payloadsOf), read with care.
import type { SignalRecord } from '#contract/signal.ts'
import type { Ctx } from '#data/context.ts'

export interface PushMessage {
  readonly title: string
  readonly body: string
  /** Path of the app, with its query. */
  readonly url: string
  readonly lang: string
  readonly tag: string
  readonly attention: number | null
  readonly uid: string
  readonly ctx: Ctx
  /** The person asked for it on a screen: it sounds, whatever is open. */
  readonly test: boolean
  readonly notification_id: string | null
  readonly delivery_id: string
  /** When what it tells of was there to be told; null where the server is older than this. */
  readonly at: string | null
  readonly record: SignalRecord | null
  /** Ids of notifications that were read elsewhere. */
  readonly read: readonly string[]
}

const isText = (value: unknown): value is string => typeof value === 'string'
const CONTEXT = /^(personal|org:[\w-]+)$/

/** null: nothing of ours, or of a version that this one does not know. */
export function readMessage(data: PushMessageData | null, origin: string): PushMessage | null {
  let value: unknown
  try {
    value = data?.json()
  } catch {
    return null // no JSON: not ours
  }
  if (!isObject(value) || !isObject(value['notification']) || !isObject(value['lingbo'])) return null
  const { notification, lingbo, app_badge } = value
  const { title, body, navigate, lang, tag } = notification
  const { v, uid, ctx, kind, notification_id, delivery_id, at, record, read } = lingbo
  if (v !== 1 || !isText(title) || !isText(uid) || !isText(ctx) || !CONTEXT.test(ctx)) return null
  if (!isText(delivery_id)) return null
  return {
    title,
    body: isText(body) ? body : '',
    url: pathOf(navigate, origin),
    lang: isText(lang) ? lang : 'zh-Hant',
    tag: isText(tag) ? tag : delivery_id,
    attention: typeof app_badge === 'number' ? app_badge : null,
    uid,
    ctx: ctx as Ctx,
    test: kind === 'test',
    notification_id: isText(notification_id) ? notification_id : null,
    delivery_id,
    at: isText(at) && !Number.isNaN(Date.parse(at)) ? at : null,
    record: isRecord(record) ? record : null,
    read: Array.isArray(read) ? read.filter(isText) : [],
  }
}

/** Only the path counts: the app is opened where this worker is at home, under whatever name the server knows itself. */
function pathOf(navigate: unknown, origin: string): string {
  if (!isText(navigate) || !URL.canParse(navigate, origin)) return '/'
  const { pathname, search, hash } = new URL(navigate, origin)
  return pathname + search + hash
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** What the lists of the device are sorted and filed by. */
function isRecord(value: unknown): value is SignalRecord {
  return (
    isObject(value) &&
    isText(value['id']) &&
    isText(value['strategy_id']) &&
    isText(value['occurred_at']) &&
    typeof value['seq'] === 'number' &&
    typeof value['chain_seq'] === 'number' &&
    isObject(value['derived'])
  )
}
