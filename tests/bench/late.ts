// What one more record costs where it is stored: in order, a little late, a void of a recent one; with 10, 1,000 and 100,000 before it.
import { createStrategy } from '#contract/strategy.ts'
import { newId } from '#server/ids.ts'
import { append, type Bare } from '#tests/support/append.ts'
import { signUp } from '#tests/support/people.ts'
import { startServer } from '#tests/support/server.ts'
import { record } from '../trading/records.ts'
import { percentile, report, round } from './figures.ts'

const SIZES = (process.env['SIZES'] ?? '10,1000,100000').split(',').map(Number)
const ROUNDS = 60
const BATCH = 250
/** A record a minute, so that figures have days. */
const MINUTE_MS = 60_000
const START = Date.UTC(2026, 0, 5, 1)

type Kind = 'order' | 'late' | 'void' | 'cold'

/** npm run bench -- late. SIZES sets how many records there are before. */
export async function late(): Promise<void> {
  const server = await startServer()
  try {
    const person = await signUp(server, '量測')
    const { app } = server
    const result: Record<string, Record<Kind, { p50: number; p99: number }>> = {}
    const settings = { product_code: 'MXF' }
    const ids: string[] = []
    for (const size of SIZES)
      ids.push((await person.call(createStrategy, { kind: 'futures', name: `量測 ${size}`, settings })).id)
    for (const [nth, size] of SIZES.entries()) {
      const id = ids[nth] as string
      let count = 0
      let last = ''
      const draft = (minutes: number, rest: object = {}): Bare => {
        const occurred_at = new Date(START + minutes * MINUTE_MS).toISOString()
        const action = count++ % 2 ? 'sell' : 'buy'
        const { chain_seq: _, ...facts } = record(1, action, 1, 46_000 + (count % 400), {
          occurred_at,
          ...rest,
        })
        const own = newId()
        if (facts.source !== 'void') last = own
        return {
          facts: { ...facts, id: own, strategy_id: id },
          flags: [],
          webhook_id: null,
          delivery_id: null,
        }
      }
      const store = async (drafts: Bare[]) => {
        const began = performance.now()
        await append(app, id, app.fold_cache, drafts)
        return performance.now() - began
      }
      let minute = 0
      for (let done = 0; done < size; done += BATCH)
        await store(Array.from({ length: Math.min(BATCH, size - done) }, () => draft(minute++)))
      const took: Record<Kind, number[]> = { order: [], late: [], void: [], cold: [] }
      for (let n = 0; n < ROUNDS; n++) {
        took.order.push(await store([draft(minute++)]))
        took.late.push(await store([draft(minute - 4.5)]))
        took.void.push(await store([draft(minute, { source: 'void', refers_to: last })]))
        if (n % 20 > 0) continue
        app.fold_cache.clear()
        took.cold.push(await store([draft(minute++)]))
      }
      const figures = (kind: Kind) => ({
        p50: round(percentile(took[kind], 0.5)),
        p99: round(percentile(took[kind], 0.99)),
      })
      result[size] = {
        order: figures('order'),
        late: figures('late'),
        void: figures('void'),
        cold: figures('cold'),
      }
    }
    const line = Object.entries(result).map(
      ([size, { order, late: after, void: voided, cold }]) =>
        `at ${size}: in order ${order.p50} / ${order.p99}, late ${after.p50} / ${after.p99}, a void ${voided.p50} / ${voided.p99}, the first after a start ${cold.p50} ms`,
    )
    report('late', `one more record, p50 / p99 in ms, ${line.join('; ')}`, result)
  } finally {
    await server.close()
  }
}
