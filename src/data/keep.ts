// Kept answers: each query's last answer is one row; a screen gets it at once with its age while the server is asked.
import { hashKey, type QueryFunctionContext, type QueryPersister } from '@tanstack/react-query'
import type { Clock } from './clock.ts'
import { keyCtx } from './query.ts'
import type { Ctx } from './session.ts'
import type { Shelf } from './shelf.ts'

/** Raise it by hand when the shape of a kept answer changes; a build must not empty what people read offline. */
export const SCHEMA = 1
/** Older answers are of no use to anybody. */
const KEPT_DAYS = 30
const DAY_MS = 24 * 3600_000

export interface Keep {
  persister: QueryPersister
  /** Drops the answers of a context. */
  forget(ctx: Ctx): Promise<void>
  /** Drops what is too old or of another schema. */
  prune(): Promise<void>
}

/** `shelf` gives the database of the person signed in now, null when nobody is. */
export function createKeep(shelf: () => Shelf | null, clock: Clock): Keep {
  /** Answers under way, by key: the device and the server are asked at the same time. */
  const asking = new Map<string, Promise<unknown>>()

  const restore = async (key: string): Promise<{ data: unknown; data_at: number } | undefined> => {
    const row = await shelf()?.soon((db) => db.answers.get(key))
    return row?.schema === SCHEMA ? row : undefined
  }
  const save = (context: QueryFunctionContext, data: unknown): void => {
    const now = clock.now()
    const row = {
      key: hashKey(context.queryKey),
      ctx: keyCtx(context.queryKey),
      schema: SCHEMA,
      data,
      data_at: now,
      saved_at: now,
    }
    void shelf()?.run((db) => db.answers.put(row))
  }
  const ask = (key: string, question: () => unknown, context: QueryFunctionContext): Promise<unknown> => {
    const pending = asking.get(key)
    if (pending) return pending
    const from = shelf()
    const answer = Promise.resolve()
      .then(question)
      .then((data) => {
        // Whoever signed out or in meanwhile must not find this answer.
        if (shelf() === from) save(context, data)
        return data
      })
      .finally(() => asking.delete(key))
    asking.set(key, answer)
    return answer
  }

  const persister: QueryPersister = async (question, context, query) => {
    if (query.meta?.['keep'] === false || !shelf()) return question(context)
    const key = query.queryHash
    if (query.state.data !== undefined) return ask(key, () => question(context), context)
    const answer = ask(key, () => question(context), context)
    const kept = await Promise.race([
      restore(key),
      answer.then(
        () => undefined,
        () => restore(key), // the server failed first: the device still counts
      ),
    ])
    if (!kept) return answer
    answer.catch(() => undefined) // it is awaited again by the fetch below, which shows the failure
    queueMicrotask(() => {
      setTimeout(() => {
        query.setState({ dataUpdatedAt: kept.data_at })
        void query.fetch().catch(() => undefined) // kept in the query's own state, where screens read it
      })
    })
    return kept.data
  }

  return {
    persister,
    async forget(ctx) {
      await shelf()?.run((db) => db.answers.where('ctx').equals(ctx).delete())
    },
    async prune() {
      await shelf()?.run((db) =>
        db.answers
          .filter((row) => row.schema !== SCHEMA || row.saved_at < clock.now() - KEPT_DAYS * DAY_MS)
          .delete(),
      )
    },
  }
}
