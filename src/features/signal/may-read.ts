// Whether a record may be shown before the application has judged it: by the same rules, from what this device has stored.
import { jwtDecode } from 'jwt-decode'
import type { TokenClaims } from '#contract/session.ts'
import { createLeases } from '#data/device/leases.ts'
import type { EarlyRows } from '#data/device/store.ts'
import { createServerClock, KEYS, type StorageLike } from '#state/storage.ts'

/** True when the person is signed in still, and neither the organization nor the strategy of the record has ended for them. Throws where the token cannot be read. */
export function mayRead(
  { ctx, record }: Pick<EarlyRows, 'ctx' | 'record'>,
  uid: string,
  storage: StorageLike,
  now_ms: () => number,
): boolean {
  const { now } = createServerClock(storage, now_ms)
  const claims = jwtDecode<TokenClaims>(storage.getItem(KEYS.token) ?? '')
  if (record === null || claims.uid !== uid || claims.exp <= now() / 1000) return false
  const { contexts, strategies } = createLeases(storage, uid, now).ended()
  return (
    !contexts.includes(ctx) &&
    !strategies.some((one) => one.ctx === ctx && one.strategy_id === record.strategy_id)
  )
}
