// Brings an event to what its noun says of it; questions it raises are gathered and asked after the burst.
import type { AppEvent } from '#contract/events.ts'
import type { Clock } from '../clock.ts'
import { type Ctx, scopeCtx } from '../context.ts'
import { type Key, keys } from '../keys.ts'
import type { Hands, Heard } from './hands.ts'

/** Questions are asked again after a burst, not during it; but a burst without end must not put it off for ever. */
const SETTLE_MS = 300
const SETTLE_MAX_MS = 1_500

export interface ApplyPorts extends Omit<Hands, 'ask' | 'refold' | 'forget'> {
  /** What every kind does. */
  heard: Heard
  clock: Clock
}

export interface Apply {
  event(event: AppEvent): void
  stop(): void
}

export function createApply({
  query,
  memory,
  on_device,
  catch_up,
  clock,
  uid,
  writes,
  on_revoked,
  heard,
}: ApplyPorts): Apply {
  const dirty = new Map<string, Key>()
  const refolds = new Map<string, { ctx: Ctx; strategy_id: string; from: number }>()
  let cancel: (() => void) | null = null
  let since = 0

  const settle = () => {
    cancel?.()
    cancel = null
    const asked = [...dirty.values()]
    const again = [...refolds.values()]
    dirty.clear()
    refolds.clear()
    for (const queryKey of asked) void query.invalidateQueries({ queryKey })
    for (const { ctx, strategy_id, from } of again) void catch_up.refold(ctx, strategy_id, from)
  }
  const later = () => {
    if (!cancel) since = clock.now()
    cancel?.()
    cancel = clock.after(Math.max(0, Math.min(SETTLE_MS, since + SETTLE_MAX_MS - clock.now())), settle)
  }
  const ask = (...asked: readonly Key[]) => {
    for (const key of asked) dirty.set(JSON.stringify(key), key)
    later()
  }
  const refold = (ctx: Ctx, strategy_id: string, from: number) => {
    if (ctx !== memory.current()) {
      // Only the current context can be asked about; that one is read anew when it is entered.
      catch_up.forget(ctx)
      on_device.saveFeed(ctx, null)
      return
    }
    const name = `${ctx} ${strategy_id}`
    catch_up.doubt(ctx, strategy_id)
    refolds.set(name, { ctx, strategy_id, from: Math.min(from, refolds.get(name)?.from ?? from) })
    later()
  }
  const forget = (ctx: Ctx) => {
    memory.forget(ctx)
    catch_up.forget(ctx)
    if (writes()) on_device.forget(ctx)
    query.removeQueries({ queryKey: keys.all(ctx) })
  }

  const kinds = heard({ query, memory, on_device, catch_up, uid, writes, ask, refold, forget, on_revoked })

  return {
    event(event) {
      // A newer server may tell of kinds this version does not know.
      const handle = kinds[event.kind] as ((ctx: Ctx, data: unknown) => void) | undefined
      handle?.(event.kind === 'reset' ? 'personal' : scopeCtx(event.scope), event.data)
    },
    stop() {
      cancel?.()
      cancel = null
      dirty.clear()
      refolds.clear()
    },
  }
}
