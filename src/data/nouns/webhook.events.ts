// A message reached a webhook, or one of its formats is another.
import { keys } from '../keys.ts'
import type { Heard } from '../live/run.ts'

export const webhookEvents: Heard<'delivery' | 'format'> = ({ ask }) => ({
  delivery: (ctx, { webhook_id, outcome }) =>
    ask(
      keys.webhook.deliveries(ctx, webhook_id),
      keys.webhook.ofStrategy(ctx),
      ...(outcome === 'held' ? [keys.webhook.formats(ctx, webhook_id)] : []),
    ),
  format: (ctx, { webhook_id }) =>
    ask(
      keys.webhook.formats(ctx, webhook_id),
      keys.webhook.deliveries(ctx, webhook_id),
      keys.webhook.ofStrategy(ctx),
      // they say that something waits for the person
      keys.strategy.all(ctx),
      keys.dashboard(ctx),
    ),
})
