// A record came, or another was voided by one: into the list, onto the device, into what stands on the dashboard.
import type { Dashboard } from '#contract/dashboard.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { Ctx } from '../context.ts'
import { newestFirst } from '../device/signals.ts'
import { keys } from '../keys.ts'
import { marked } from '../live/catch-up.ts'
import type { Hands, Heard } from '../live/run.ts'

const DASHBOARD_LATEST = 10

function withLatest(old: Dashboard, record: SignalRecord): Dashboard {
  if (old.latest.some(({ id }) => id === record.id)) return old
  return { ...old, latest: [...old.latest, record].sort(newestFirst).slice(0, DASHBOARD_LATEST) }
}

function take({ memory, on_device, query, writes, ask }: Hands, ctx: Ctx, given: SignalRecord): void {
  const known = memory.has(ctx) && !memory.add(ctx, given)
  if (writes()) on_device.add(ctx, given)
  if (!known) {
    const key = keys.dashboard(ctx)
    const updatedAt = query.getQueryState(key)?.dataUpdatedAt
    query.setQueryData<Dashboard>(key, (old) => old && withLatest(old, given), {
      ...(updatedAt !== undefined && { updatedAt }),
    })
  }
  ask(keys.dashboard(ctx), keys.strategy.all(ctx))
}

export const signalEvents: Heard<'signal' | 'signal-voided'> = (hands) => ({
  signal: (ctx, given) => take(hands, ctx, given),
  'signal-voided'(ctx, given) {
    const { memory, ask, refold } = hands
    take(hands, ctx, given)
    const original =
      given.refers_to === null
        ? undefined
        : memory.has(ctx) && memory.of(ctx).items.find(({ id }) => id === given.refers_to)
    if (original) memory.put(ctx, [marked(original, given)], 'server')
    if (given.refers_to !== null) ask(keys.signal.one(ctx, given.refers_to))
    // Everything behind it stands on it.
    refold(ctx, given.strategy_id, original ? original.chain_seq : 1)
  },
})
