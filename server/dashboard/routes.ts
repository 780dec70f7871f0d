// The first screen in one call.

import { type Dashboard, getDashboard } from '#contract/dashboard.ts'
import { may } from '#contract/permissions.ts'
import { instantOf, taipei } from '#trading/calendar.ts'
import { isSignal, monthOf, monthStart, shownTradingDate } from '#trading/day.ts'
import { countPending } from '../access/members.ts'
import { countMembers } from '../access/membership.ts'
import { isSeenByOther } from '../access/organization.ts'
import { mayEdit, visibleStrategies } from '../access/strategies.ts'
import type { Actor, App } from '../context.ts'
import type { Db } from '../db/schema.ts'
import { handle, type Route } from '../http/handle.ts'
import { waitingByStrategy } from '../ingest/format-store.ts'
import { countOpenInvites } from '../invitation/store.ts'
import { closedDays } from '../record/calendar.ts'
import { countOn, realisedByDate } from '../record/daily-sums.ts'
import { showSignals } from '../record/visibility.ts'
import { presentStrategies } from '../strategy/present.ts'
import type { rejectedByStrategy, strategyStates } from './store.ts'
import * as store from './store.ts'

// What asks for attention, each with the screen where it is dealt with.

type Todo = Dashboard['todos'][number]
type States = Awaited<ReturnType<typeof strategyStates>>
type Rejected = Awaited<ReturnType<typeof rejectedByStrategy>>

/** Todos in the order they matter; a link leads to the first place, the next one follows when it is done. */
export function todosOf(
  actor: Actor,
  states: States,
  held: ReadonlyMap<string, { count: number; newest: string }>,
  rejected: Rejected,
  {
    invites,
    requests = 0,
    telegram,
    expiring = 0,
  }: { invites: number; requests?: number; telegram: boolean; expiring?: number },
): Todo[] {
  const todos: Todo[] = []
  // The person's own: none of what an admin is shown who looks at what a member sees.
  if (!actor.email_verified && !isSeenByOther(actor))
    todos.push({ kind: 'verify_email', count: 1, link: '/profile' })
  if (invites > 0) todos.push({ kind: 'invites', count: invites, link: '/my-organizations' })
  if (requests > 0)
    todos.push({ kind: 'join_requests', count: requests, link: '/organizations/manage?tab=requests' })
  const short = states.filter((state) => state.short)
  if (short[0]) todos.push({ kind: 'asks_short', count: short.length, link: `/strategies/${short[0].id}` })
  const unpriced = states.filter((state) => state.pending_price_count > 0)
  if (unpriced[0]) {
    const count = unpriced.reduce((sum, state) => sum + state.pending_price_count, 0)
    todos.push({ kind: 'pending_price', count, link: `/strategies/${unpriced[0].id}?tab=signals` })
  }
  const suspect = states.filter((state) => state.price_suspect_count > 0)
  if (suspect[0]) {
    const count = suspect.reduce((sum, state) => sum + state.price_suspect_count, 0)
    todos.push({
      kind: 'price_suspect',
      count,
      link: `/strategies/${suspect[0].id}?tab=signals&state=price_suspect`,
    })
  }
  const gaps = states.filter((state) => state.gap)
  if (gaps[0]) {
    todos.push({
      kind: 'position_gap',
      count: gaps.length,
      link: `/strategies/${gaps[0].id}?tab=overview&part=positions`,
    })
  }
  const [waits] = held
  if (waits !== undefined) {
    const count = [...held.values()].reduce((sum, one) => sum + one.count, 0)
    todos.push({
      kind: 'held',
      count,
      link: `/strategies/${waits[0]}?tab=settings&format=${waits[1].newest}`,
    })
  }
  if (rejected[0]) {
    const count = rejected.reduce((sum, row) => sum + Number(row.count), 0)
    todos.push({
      kind: 'rejected',
      count,
      link: `/strategies/${rejected[0].strategy_id}?tab=settings&outcome=rejected`,
    })
  }
  const silent = states.filter((state) => state.silent)
  if (silent[0]) todos.push({ kind: 'silent', count: silent.length, link: `/strategies/${silent[0].id}` })
  const missing = states.filter((state) => state.missing)
  if (missing[0])
    todos.push({
      kind: 'missing',
      count: missing.length,
      link: `/strategies/${missing[0].id}?tab=settings`,
    })
  if (expiring > 0)
    todos.push({
      kind: 'expiring',
      count: expiring,
      link: '/organizations/manage?tab=members&status=expiring',
    })
  if (telegram)
    todos.push({
      kind: 'bind_telegram',
      count: 1,
      link: '/signal-notification?tab=setting&channel=telegram',
    })
  return todos
}

const DAY_MS = 86_400_000

/** The dashboard of the current context. */
export function dashboardRoutes(app: App): Route[] {
  return [
    handle(app, getDashboard, async ({ actor, tx: { db, at } }) => {
      const closed = closedDays(app)
      const latest = await store.latestSignals(db, actor)
      // The night session already belongs to the next trading date; on a closed day the last one stands there.
      const newest = latest.find(isSignal)?.trading_date ?? null
      const { trading_date } = shownTradingDate(at, closed, newest)
      const realised = await realisedByDate(db, actor, monthStart(trading_date), trading_date)
      const states = await store.strategyStates(db, actor)
      const since = new Date(Date.parse(at) - DAY_MS).toISOString()
      const edit = mayEdit(actor)
      // Members are shown money only where the organization shares its figures (wire §10).
      const hidden = !edit && actor.membership?.shares === false
      // Invitations are the person's own, whatever the context: they are dealt with in the personal one.
      const invites = actor.organization_id === null ? await countOpenInvites(db, actor, at) : 0
      const bound = await store.boundChannels(db, actor.uid)
      const organization = await organizationOf(db, actor, taipei(at).date)
      const own = {
        invites,
        expiring: organization?.expiring_7d ?? 0,
        // Whoever manages the organization has its counts.
        requests:
          organization && actor.organization_id !== null
            ? await countPending(db, actor.organization_id, at)
            : 0,
        // the person's own, like the invitations; only where this server has a bot
        telegram:
          actor.organization_id === null &&
          actor.email_verified &&
          app.config.telegram_bot_token !== null &&
          !bound.has('telegram'),
      }
      return {
        context: actor.organization_id === null ? ('personal' as const) : ('organization' as const),
        today: {
          trading_date,
          signal_count: await countOn(db, actor, trading_date),
          realised_pnl: hidden ? null : (realised.get(trading_date) ?? 0),
        },
        reads_from: latestFirstDay(actor),
        open_strategy_count: states.filter((state) => state.positions !== '[]').length,
        month: hidden ? { realised_pnl: null, sparkline: [] } : monthOf(realised, trading_date, closed),
        latest: await showSignals(app, db, actor, latest),
        strategies: await presentStrategies(app, db, actor, await store.topStrategies(db, actor)),
        todos: edit
          ? todosOf(
              actor,
              states,
              await waitingByStrategy(db, visibleStrategies(db, actor).select('strategies.id')),
              await store.rejectedByStrategy(db, actor, since),
              own,
            )
          : todosOf(actor, [], new Map(), [], own),
        announcements: await store.newestAnnouncements(db, actor, at),
        checklist: {
          email: actor.email_verified,
          strategy: states.length > 0,
          webhook: await store.anyWebhookHeard(db, actor),
          channel: bound.size > 0,
          first_signal: hidden
            ? await store.anySignal(db, actor)
            : states.some((state) => state.signal_count > 0),
        },
        organization,
      }
    }),
  ]
}

/** The latest day that the actor reads one of the strategies from, archived ones included; null when all of each is read. */
function latestFirstDay({ access }: Pick<Actor, 'access'>): string | null {
  return (
    [...(access?.values() ?? [])]
      .map(({ visible_from }) => visible_from)
      .toSorted()
      .at(-1) ?? null
  )
}

/** Counts for those who manage an organization. */
async function organizationOf(db: Db, actor: Actor, today: string) {
  if (actor.organization_id === null || !may(actor.identity, 'organization:manage')) return null
  const { members, expiring_7d } = await countMembers(db, actor.organization_id, today)
  const { delivered, failed } = await store.deliveredSince(
    db,
    actor.organization_id,
    instantOf(today, '00:00'),
  )
  return { members, expiring_7d, delivered_today: delivered, failed_today: failed }
}
