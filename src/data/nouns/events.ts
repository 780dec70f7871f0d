// Every kind of event with what its noun says of it. Apart from the nouns' questions: what is live must not load the shapes of every call.

import type { InfiniteData } from '@tanstack/react-query'
import type { AnnouncementHead } from '#contract/announcement.ts'
import type { Dashboard } from '#contract/dashboard.ts'
import { needsAttention, type SignalNotification } from '#contract/notification.ts'
import type { SignalRecord } from '#contract/signal.ts'
import { type Ctx, scopeCtx } from '../context.ts'
import { newestFirst } from '../device/signals.ts'
import { isAnnouncementList, keys } from '../keys.ts'
import { marked } from '../live/catch-up.ts'
import type { Hands, Heard } from '../live/run.ts'
import { forgetTold } from '../query.ts'

/** What the stream cannot tell any more is read anew: nobody's noun, everybody's answers. */
const resetEvent: Heard<'reset'> = ({ memory, on_device, catch_up, ask }) => ({
  reset(_ctx, { scope }) {
    const ctx = scopeCtx(scope)
    ask(keys.all(ctx), keys.person.all)
    if (ctx === memory.current()) void catch_up.rebuild(ctx)
    else {
      catch_up.forget(ctx)
      on_device.saveFeed(ctx, null)
    }
  },
})

export const heard: Heard = (hands) => ({
  ...signalEvents(hands),
  ...strategyEvents(hands),
  ...webhookEvents(hands),
  ...membershipEvents(hands),
  ...organizationEvents(hands),
  ...groupEvents(hands),
  ...announcementEvents(hands),
  ...profileEvents(hands),
  ...notificationEvents(hands),
  ...resetEvent(hands),
})

// A record came, or another was voided by one: into the list, onto the device, into what stands on the dashboard.

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

// A strategy was changed, folded again, or taken away; or its source fell silent.

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

// A message reached a webhook, or one of its formats is another.

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

// Somebody joined, moved or left an organization; or it is over for the person here.

export const membershipEvents: Heard<'membership' | 'context-revoked'> = ({
  memory,
  catch_up,
  uid,
  ask,
  forget,
  on_revoked,
}) => ({
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
})

// An organization was changed; the profile names it, too.

export const organizationEvents: Heard<'organization'> = ({ ask }) => ({
  organization(ctx, { change }) {
    ask(keys.person.profile, keys.organization.all(ctx))
    // The first page says how many requests wait.
    if (change === 'join_requests') ask(keys.dashboard(ctx))
  },
})

// A group was changed; the organization counts them.

export const groupEvents: Heard<'group'> = ({ ask }) => ({
  group: (ctx) => ask(keys.group.all(ctx), keys.organization.all(ctx)),
})

// Something was announced, changed or taken back; or the person has read it on another device.

interface AnnouncementPage {
  items: AnnouncementHead[]
  unread_count: number
}

export const announcementEvents: Heard<'announcement'> = ({ query, memory, ask }) => ({
  announcement(ctx, { id, change }) {
    ask(keys.dashboard(memory.current()))
    if (change === 'read') {
      const read_at = new Date().toISOString()
      query.setQueriesData<AnnouncementPage>(
        { predicate: ({ queryKey }) => isAnnouncementList(queryKey) },
        (page) =>
          page && {
            ...page,
            unread_count: Math.max(
              0,
              page.unread_count - page.items.filter((one) => one.id === id && one.read_at === null).length,
            ),
            items: page.items.map((one) =>
              one.id === id && one.read_at === null ? { ...one, read_at } : one,
            ),
          },
      )
      return
    }
    ask(ctx === 'personal' ? keys.person.platform : keys.announcement.all(ctx))
    if (change !== 'deleted') return
    forgetTold(query, ({ announcement_id }) => announcement_id === id)
    ask(keys.person.notifications)
  },
})

// Something of the person was changed, here or on another device.

export const profileEvents: Heard<'profile' | 'setting'> = ({ ask }) => ({
  profile: () => ask(keys.person.all),
  setting: () => ask(keys.person.all),
})

// Something was told to the person, read somewhere, or a channel was bound: at once on every open screen, then asked for again.

interface Page {
  items: SignalNotification[]
  next_before: string | null
  unread_count: number
  attention_count: number
}
type Pages = InfiniteData<Page>

/** From so many in memory on, only the newest stay there, the others come as pages again: each one more costs a look at all of them. */
const MOST = 400
const STAY = 100

function bounded(known: Pages | undefined): Pages | undefined {
  const [page] = known?.pages ?? []
  const last = page?.items[STAY - 1]
  if (!known || !page || !last || page.items.length <= MOST) return known
  const newest = { ...page, items: page.items.slice(0, STAY), next_before: String(last.seq) }
  return { pages: [newest], pageParams: known.pageParams.slice(0, 1) }
}

/** The pages with `change` done to the first, which holds the count and what is new. */
const first = (known: Pages | undefined, change: (page: Page) => Page): Pages | undefined => {
  const [page, ...rest] = known?.pages ?? []
  return known && page ? { ...known, pages: [change(page), ...rest] } : known
}

export const notificationEvents: Heard<'notification' | 'notification-read' | 'telegram'> = ({
  query,
  ask,
}) => ({
  notification(_ctx, told) {
    const asks = needsAttention(told)
    query.setQueryData<Pages>(asks ? keys.person.inbox : keys.person.signals, (known) =>
      bounded(
        first(known, ({ items, unread_count, attention_count, ...page }) => {
          const old = items.some(({ id }) => id === told.id)
          const more = old || told.read_at !== null ? 0 : 1
          return {
            ...page,
            items: old ? items.map((one) => (one.id === told.id ? told : one)) : [told, ...items],
            unread_count: unread_count + more,
            attention_count: attention_count + (asks ? more : 0),
          }
        }),
      ),
    )
    // a signal is told whole: of the many of an evening nothing more is asked
    ask(...(asks ? [keys.person.notifications] : [keys.person.all_deliveries]))
  },
  'notification-read'(_ctx, { ids = [], up_to = -1, about, unread_count, attention_count }) {
    const at = new Date().toISOString()
    const own = new Set(ids)
    for (const [part, key] of [
      ['attention', keys.person.inbox],
      ['signal', keys.person.signals],
    ] as const)
      query.setQueryData<Pages>(
        key,
        (known) =>
          known && {
            ...known,
            pages: known.pages.map((page) => ({
              ...page,
              unread_count,
              ...(attention_count !== undefined && { attention_count }),
              items: page.items.map((one) =>
                one.read_at === null && (own.has(one.id) || (one.seq <= up_to && (about ?? part) === part))
                  ? { ...one, read_at: at }
                  : one,
              ),
            })),
          },
      )
    // by ids everything of it is told; a server of before does not count apart
    if (up_to >= 0 || attention_count === undefined) ask(keys.person.inbox, keys.person.signals)
  },
  telegram: () =>
    ask(
      ...[keys.person.channels, keys.person.push_devices],
      ...[keys.person.notification_setting, keys.dashboard('personal')],
    ),
})
