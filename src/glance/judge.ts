// Whether anything may be shown before the application has judged it: by the same rules, from what this device has stored.
import type { Envelope } from '#contract/endpoint.ts'
import { type Ctx, ctxOf } from '#data/context.ts'
import { createLeases } from '#data/device/leases.ts'
import type { EarlyAsked } from '#data/device/store.ts'
import { createSession } from '#state/session.ts'
import type { StorageLike } from '#state/storage.ts'

/** Who is signed in, as the start-up rules find it without writing anything. `shows` what of a context has not ended for them. */
export interface Judged {
  uid: string
  org_id: string | null
  ctx: Ctx
  /** The server's time. */
  now(): number
  /** With `strategy_id` that strategy's records too, without it everything of the context. */
  shows(ctx: Ctx, strategy_id?: string): boolean
  /** Whether all of it was asked with the token and in the name that are stored now. */
  asked(questions: readonly EarlyAsked[]): boolean
}

/** Null: nobody is signed in, it is another person than `uid`, or the address names another identity. */
export function judge(
  uid: string,
  storage: StorageLike,
  now_ms: () => number,
  search: string,
): Judged | null {
  const session = createSession(storage, now_ms)
  session.resume()
  if (session.uid() !== uid) return null
  const org_id = session.org_id()
  const named = new URLSearchParams(search).get('org')
  if (named !== null && (named === 'personal' ? null : named) !== org_id) return null
  const { contexts, strategies } = createLeases(storage, uid, session.clock.now).ended()
  return {
    uid,
    org_id,
    ctx: ctxOf(org_id),
    now: session.clock.now,
    asked: (questions) => questions.every((one) => one.token === session.token() && one.org_id === org_id),
    shows: (ctx, strategy_id) =>
      !contexts.includes(ctx) &&
      !strategies.some((one) => one.ctx === ctx && (strategy_id ?? one.strategy_id) === one.strategy_id),
  }
}

const VERSION = '/api/v1'

/** What was answered, by its path; the application reads the same responses later. Null where one was refused or did not come. */
export async function answersOf(asked: readonly EarlyAsked[]): Promise<Map<string, unknown> | null> {
  const found = asked.map(async ({ path, answer }) => {
    const response = (await answer).clone()
    const { error, result } = (await response.json()) as Envelope<unknown>
    return response.ok && error.success ? ([path.slice(VERSION.length), result] as const) : null
  })
  const all = await Promise.all(found).catch(() => null)
  return all?.every((one) => one !== null) ? new Map(all) : null
}
