// What an event does to this browser: one function per kind. The list in memory first, the device and the queries after.
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Dashboard } from '#contract/dashboard.ts'
import type { AppEvent, EventData, EventKind } from '#contract/events.ts'
import type { SignalRecord } from '#contract/signal.ts'
import type { Clock } from '../clock.ts'
import { type Ctx, scopeCtx } from '../context.ts'
import { newestFirst } from '../device/order.ts'
import type { Stored } from '../device/records.ts'
import type { SignalMemory } from '../device/signals.ts'
import { keys } from '../keys.ts'
import { marked } from './behind.ts'
import type { CatchUp } from './catching-up.ts'

/** Questions are asked again after a burst, not during it; but a burst without end must not put it off for ever. */
const SETTLE_MS = 300
const SETTLE_MAX_MS = 1_500
const DASHBOARD_LATEST = 10

export interface ApplyPorts {
  query: QueryClient
  memory: SignalMemory
  stored: Stored
  catch_up: CatchUp
  clock: Clock
  /** Who is signed in. */
  uid(): string | null
  /** This tab writes to the device (it leads). */
  writes(): boolean
  on_revoked(organization_id: string, reason: EventData['context-revoked']['reason']): void
}

export interface Apply {
  event(event: AppEvent): void
  stop(): void
}

export function createApply({
  query,
  memory,
  stored,
  catch_up,
  clock,
  uid,
  writes,
  on_revoked,
}: ApplyPorts): Apply {
  const dirty = new Map<string, QueryKey>()
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
  const ask = (...asked: QueryKey[]) => {
    for (const key of asked) dirty.set(JSON.stringify(key), key)
    later()
  }
  const refold = (ctx: Ctx, strategy_id: string, from: number) => {
    if (ctx !== memory.current()) {
      // Only the current context can be asked about; that one is read anew when it is entered.
      catch_up.forget(ctx)
      stored.saveFeed(ctx, null)
      return
    }
    const name = `${ctx} ${strategy_id}`
    catch_up.doubt(ctx, strategy_id)
    refolds.set(name, { ctx, strategy_id, from: Math.min(from, refolds.get(name)?.from ?? from) })
    later()
  }
  const record = (ctx: Ctx, given: SignalRecord) => {
    const known = memory.has(ctx) && !memory.add(ctx, given)
    if (writes()) stored.add(ctx, given)
    if (!known) {
      const key = keys.dashboard(ctx)
      const updatedAt = query.getQueryState(key)?.dataUpdatedAt
      query.setQueryData<Dashboard>(key, (old) => old && withLatest(old, given), {
        ...(updatedAt !== undefined && { updatedAt }),
      })
    }
    ask(keys.dashboard(ctx), keys.strategy.all(ctx))
  }

  const forget = (ctx: Ctx) => {
    memory.forget(ctx)
    catch_up.forget(ctx)
    if (writes()) stored.forget(ctx)
    query.removeQueries({ queryKey: keys.all(ctx) })
  }

  const kinds: { [K in EventKind]: (ctx: Ctx, data: EventData[K]) => void } = {
    signal: record,
    'signal-voided'(ctx, given) {
      record(ctx, given)
      const original =
        given.refers_to === null
          ? undefined
          : memory.has(ctx) && memory.of(ctx).items.find(({ id }) => id === given.refers_to)
      if (original) memory.put(ctx, [marked(original, given)], 'server')
      if (given.refers_to !== null) ask(keys.signal.one(ctx, given.refers_to))
      // Everything behind it stands on it.
      refold(ctx, given.strategy_id, original ? original.chain_seq : 1)
    },
    strategy(ctx, { id, change, from_chain_seq }) {
      if (change === 'refolded') refold(ctx, id, from_chain_seq ?? 1)
      if (change === 'deleted') {
        if (memory.has(ctx)) memory.forgetStrategy(ctx, id)
        if (writes()) stored.forgetStrategy(ctx, id)
      }
      ask(keys.strategy.all(ctx), keys.dashboard(ctx))
    },
    delivery: (ctx, { webhook_id }) =>
      ask(keys.webhook.deliveries(ctx, webhook_id), keys.webhook.ofStrategy(ctx)),
    membership(_ctx, { organization_id, user_id, change }) {
      const ctx: Ctx = `org:${organization_id}`
      ask(keys.all(ctx), keys.person.organizations)
      if (user_id !== uid()) return
      ask(keys.person.profile)
      // Only the current context can be asked about what may stay: the rest is read anew when it is entered.
      if (ctx === memory.current()) void catch_up.run(ctx)
      else if (change !== 'added') forget(ctx)
    },
    'context-revoked'(_ctx, { organization_id, reason }) {
      const ctx: Ctx = `org:${organization_id}`
      on_revoked(organization_id, reason)
      forget(ctx)
      ask(keys.person.profile, keys.person.organizations)
    },
    organization: (ctx) => ask(keys.person.profile, keys.organization.all(ctx)),
    group: (ctx) => ask(keys.group.all(ctx), keys.organization.all(ctx)),
    profile: () => ask(keys.person.all),
    setting: () => ask(keys.person.all),
    reset(_ctx, { scope }) {
      const ctx = scopeCtx(scope)
      ask(keys.all(ctx), keys.person.all)
      if (ctx === memory.current()) void catch_up.rebuild(ctx)
      else {
        catch_up.forget(ctx)
        stored.saveFeed(ctx, null)
      }
    },
  }

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

function withLatest(old: Dashboard, record: SignalRecord): Dashboard {
  if (old.latest.some(({ id }) => id === record.id)) return old
  return { ...old, latest: [...old.latest, record].sort(newestFirst).slice(0, DASHBOARD_LATEST) }
}
