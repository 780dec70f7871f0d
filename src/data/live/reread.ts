// Reads records anew whose figures the server has computed again: of one strategy, or of all that newer records have changed.
import type { OutputOf } from '#contract/endpoint.ts'
import { RECORDS_ON_DEVICE } from '#contract/limits.ts'
import { listStrategySignals, type SignalRecord } from '#contract/signal.ts'
import type { Ctx } from '../context.ts'
import { ContextChanged } from '../failure.ts'
import { changedFrom, marked } from './behind.ts'
import type { CatchUpPorts } from './catching-up.ts'

const PAGE = 200

export interface Reread {
  /** One strategy's records from a place in its chain on. Throws `ContextChanged` when the context was forgotten meanwhile. */
  strategy(ctx: Ctx, strategy_id: string, from_chain_seq: number): Promise<void>
  /** What these news of the feed change in records that were here before: no event may ever tell of it. */
  behind(ctx: Ctx, told: readonly SignalRecord[]): Promise<void>
}

/** `forgotten` changes when a context is forgotten. */
export function createReread(
  { client, memory, on_device, signal }: Pick<CatchUpPorts, 'client' | 'memory' | 'on_device' | 'signal'>,
  forgotten: (ctx: Ctx) => unknown,
): Reread {
  const put = (ctx: Ctx, records: readonly SignalRecord[]) => {
    memory.put(ctx, records, 'server')
    on_device.put(ctx, records)
  }
  const strategy: Reread['strategy'] = async (ctx, id, min_chain_seq) => {
    const own = forgotten(ctx)
    let before: string | null | undefined
    for (let pages = 0; before !== null && pages < RECORDS_ON_DEVICE / PAGE; pages++) {
      const question = { id, min_chain_seq, limit: PAGE, ...(before && { before }) }
      const answer: OutputOf<typeof listStrategySignals> = await client.call(listStrategySignals, question, {
        ctx,
        signal,
      })
      if (forgotten(ctx) !== own) throw new ContextChanged()
      put(ctx, answer.items)
      before = answer.next_before
    }
  }
  return {
    strategy,
    async behind(ctx, told) {
      const { items } = memory.of(ctx)
      const changed = changedFrom(items, told)
      if (changed.size === 0) return
      // said at once: a network that goes away now leaves no void beside an original that knows nothing of it
      const given = new Set(told.map(({ id }) => id))
      const originals = told.flatMap((one) => {
        const original = items.find(({ id }) => id === one.refers_to && !given.has(id))
        return original ? [marked(original, one)] : []
      })
      put(ctx, originals)
      for (const [id, from] of changed) await strategy(ctx, id, from)
    },
  }
}
