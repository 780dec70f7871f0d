// What is shown: the kept answer with the waiting calls laid over it. Taking a row out of the outbox is the whole rollback.
import type { Profile } from '#contract/profile.ts'
import type { Strategy } from '#contract/strategy.ts'
import type { OutboxSnapshot } from './door.ts'

/**
 * The fields that calls of these names write, oldest first: what arrived after `data_at` (ms; the answer does not know of it
 * yet), then what waits. What the server refused does not count. Null when there is nothing.
 */
function written(
  { rows, receipts }: OutboxSnapshot,
  data_at: number,
  is_mine: (call: { endpoint: string; params: Record<string, string> }) => boolean,
): Record<string, unknown> | null {
  const parts = receipts
    .filter((receipt) => receipt.sent_at >= data_at && is_mine(receipt))
    .sort((a, b) => a.sent_at - b.sent_at)
    .flatMap(({ body, result }) => [body, result as object | null])
  for (const row of rows) if (row.state !== 'failed' && is_mine(row)) parts.push(row.body)
  return parts.length > 0 ? Object.assign({}, ...parts) : null
}

/** The profile as the person left it: name and picture. The same object when nothing waits. */
export function layProfile(profile: Profile, outbox: OutboxSnapshot, data_at: number): Profile {
  const fields = written(outbox, data_at, ({ endpoint }) => /^profile\.update(-name)?$/.test(endpoint))
  if (!fields) return profile
  const { name = profile.name, avatar = profile.avatar } = fields as Partial<Profile>
  return { ...profile, name, avatar }
}

/** The strategy with my bell as I set it. The same object when nothing waits. */
export function layStrategy(strategy: Strategy, outbox: OutboxSnapshot, data_at: number): Strategy {
  const fields = written(
    outbox,
    data_at,
    ({ endpoint, params }) => endpoint === 'strategy.notify' && params['id'] === strategy.id,
  )
  return fields ? { ...strategy, my_notify: { ...strategy.my_notify, ...fields } } : strategy
}
