// The first screen in one call.
import { getDashboard } from '#contract/dashboard.ts'
import { may } from '#contract/permissions.ts'
import { instantOf, taipei, tradingSessionAt } from '#trading/calendar.ts'
import { monthOf, monthStart } from '#trading/day.ts'
import { countPending } from '../access/joining.ts'
import { countMembers } from '../access/state.ts'
import { mayEdit, visibleStrategies } from '../access/strategies.ts'
import type { Actor, App } from '../context.ts'
import type { Db } from '../db/schema.ts'
import { handle, type Route } from '../http/handle.ts'
import { waitingByStrategy } from '../ingest/formats.ts'
import { countOpenInvites } from '../invitation/present.ts'
import { closedDays } from '../record/closed-days.ts'
import { showSignals } from '../record/veil.ts'
import { presentStrategies } from '../strategy/present.ts'
import * as store from './store.ts'
import { todosOf } from './todos.ts'

const DAY_MS = 86_400_000

/** The dashboard of the current context. */
export function dashboardRoutes(app: App): Route[] {
  return [
    handle(app, getDashboard, async ({ actor, tx: { db, at } }) => {
      const closed = closedDays(app)
      // The night session already belongs to the next trading date.
      const { trading_date } = tradingSessionAt(at, { has_night: true, closed_days: closed })
      const realised = await store.realisedByDate(db, actor, monthStart(trading_date), trading_date)
      const states = await store.strategyStates(db, actor)
      const since = new Date(Date.parse(at) - DAY_MS).toISOString()
      const edit = mayEdit(actor)
      // Members are shown money only where the organization shares its figures (wire §10).
      const hidden = !edit && actor.membership?.shares === false
      // Invitations are the person's own, whatever the context: they are dealt with in the personal one.
      const invites = actor.organization_id === null ? await countOpenInvites(db, actor, at) : 0
      const latest = await store.latestSignals(db, actor)
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
          signal_count: await store.countOn(db, actor, trading_date),
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
