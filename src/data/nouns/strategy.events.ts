// A strategy was changed, folded again, or taken away; or its source fell silent.
import { keys } from '../keys.ts'
import type { Heard } from '../live/run.ts'

export const strategyEvents: Heard<'strategy' | 'silence'> = ({
  memory,
  on_device,
  writes,
  ask,
  refold,
}) => ({
  strategy(ctx, { id, change, from_chain_seq }) {
    if (change === 'refolded') refold(ctx, id, from_chain_seq ?? 1)
    if (change === 'deleted') {
      if (memory.has(ctx)) memory.forgetStrategy(ctx, id)
      if (writes()) on_device.forgetStrategy(ctx, id)
    }
    ask(keys.strategy.all(ctx), keys.dashboard(ctx))
    // groups say what their strategies are called, and whether they run
    if (change !== 'refolded') ask(keys.strategyNames(ctx), keys.group.all(ctx))
  },
  silence: (ctx) => ask(keys.strategy.all(ctx), keys.dashboard(ctx)),
})
