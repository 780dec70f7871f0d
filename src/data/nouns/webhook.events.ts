// A message reached a webhook.
import { keys } from '../keys.ts'
import type { Heard } from '../live/hands.ts'

export const webhookEvents: Heard<'delivery'> = ({ ask }) => ({
  delivery: (ctx, { webhook_id }) =>
    ask(keys.webhook.deliveries(ctx, webhook_id), keys.webhook.ofStrategy(ctx)),
})
