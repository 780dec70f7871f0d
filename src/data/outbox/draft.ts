// A call on its way into the outbox: the row it becomes, and the call it becomes again.
import { type Endpoint, pathParameters } from '#contract/endpoint.ts'
import type { OutboxRow, QueuedCall } from '#contract/outbox.ts'
import type { CallShape } from '../client.ts'
import { ctxOf } from '../context.ts'

/** Who acts, when (ms by the server's clock), and the key made for it. */
export interface Made {
  uid: string
  org_id: string | null
  now: number
  key: string
}

/** The row of a call. What is the person's own has no organization, whatever the identity it was made in. */
export function draft(
  endpoint: Pick<Endpoint, 'name'>,
  call: QueuedCall,
  input: Record<string, unknown>,
  posting: { label: string; base?: Record<string, unknown>; lasts_ms?: number },
  { uid, org_id: current, now, key }: Made,
): OutboxRow {
  const org_id = call.who === 'login' ? null : current
  const ctx = ctxOf(org_id)
  const body = { ...input }
  const params: Record<string, string> = {}
  for (const name of pathParameters(call.path)) {
    params[name] = String(body[name] ?? '')
    delete body[name]
  }
  const at = new Date(now).toISOString()
  const [noun] = endpoint.name.split('.')
  return {
    key,
    ctx,
    lane: [uid, ctx, noun, Object.values(params)[0] ?? '-'].join('|'),
    uid,
    org_id,
    endpoint: endpoint.name,
    params,
    body: call.dated && body['edited_at'] === undefined ? { ...body, edited_at: at } : body,
    base: posting.base ?? null,
    label: posting.label,
    created_at: at,
    edited_at: at,
    expires_at: new Date(now + (posting.lasts_ms ?? call.lasts_ms)).toISOString(),
    state: 'waiting',
    attempts: 0,
    next_at: null,
    last_status: null,
    last_code: null,
    last_text: null,
  }
}

/** The call a row stands for; throws when this version of the app does not know it (an older or newer one wrote it). */
export function shapeOf(row: OutboxRow, calls: Readonly<Record<string, QueuedCall>>): CallShape {
  const call = calls[row.endpoint]
  if (!call) throw new TypeError(`${row.endpoint} is unknown here`)
  return { name: row.endpoint, method: call.method, path: call.path, who: call.who, when_offline: 'queue' }
}
