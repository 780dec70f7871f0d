// The outbox on the screen: what waits, laid over what was kept; the number on the application's icon; the way to the panel.
import { useSyncExternalStore } from 'react'
import { proxy } from 'valtio'
import type { OutboxRow } from '#contract/outbox.ts'
import type { Ctx } from '#data/context.ts'
import { getData } from '#data/current.ts'
import { byHand, isMyName, unsentSignals } from '#data/nouns/waiting.ts'
import type { OutboxSnapshot } from '#data/outbox/store.ts'

/** Said whenever a call could not go out at once (product.md). */
export const QUEUED_WORDS = '已排入待送，恢復連線後自動送出'

/** What the person wants to correct and send anew: the page it belongs to opens with these values and clears it. */
export const correcting = proxy<{ row: OutboxRow | null }>({ row: null })

/** Where a refused call can be corrected and sent anew, in the identity it was made in; undefined: nowhere. */
export function correctionHref(row: OutboxRow): string | undefined {
  if (isMyName(row)) return '/profile'
  if (byHand(row) === null) return undefined
  const { params, org_id } = row
  const id = params['strategy_id'] ?? ''
  return `/strategies/${id}?manual=${id}&org=${org_id ?? 'personal'}`
}

/** The address of the panel over the page that is open now. */
export function panelHref(): string {
  const search = new URLSearchParams(location.search)
  search.set('panel', 'outbox')
  return `${location.pathname}?${search}`
}

/** What waits of the person signed in, oldest first. */
export function useOutbox(): OutboxSnapshot {
  const { outbox } = getData()
  return useSyncExternalStore(outbox.subscribe, outbox.getSnapshot)
}

/** Whether a call of these names waits, for the mark 待送出; with `id` only for this subject of its path. */
export function useWaiting(names: readonly string[], id?: string): boolean {
  return useOutbox().rows.some(
    ({ endpoint, params, state }) =>
      state !== 'failed' && names.includes(endpoint) && (id === undefined || params['id'] === id),
  )
}

/** Whether a signal entered by hand has not arrived in this context, waiting or refused; with `strategy_id` only one of that strategy. */
export function useUnsentSignals(ctx: Ctx, strategy_id?: string): boolean {
  return unsentSignals(useOutbox(), ctx, strategy_id).length > 0
}

/** Whether something wants a decision: refused, or past its time. */
export function useAsks(): boolean {
  return useOutbox().rows.some(({ state }) => state === 'failed' || state === 'needs_confirm')
}

/** On the application's icon stands one number: what waits to be sent, and what is unread. */
const on_icon = { waiting: 0, unread: 0 }
const ignore = (error: unknown) => console.warn('badge', error)
function showOnIcon(part: Partial<typeof on_icon>): void {
  const { waiting, unread } = Object.assign(on_icon, part)
  const count = waiting + unread
  if ('setAppBadge' in navigator)
    void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(ignore)
}

/** How many notifications are unread: for the badges of the menus; and in whose names (null: one's own) the newest signal is, for the tab. */
export const inbox = proxy({ unread: 0, news: [] as readonly (string | null)[] })

export function showNews(news: readonly (string | null)[]): void {
  inbox.news = news
}

export function showUnread(count: number): void {
  inbox.unread = count
  showOnIcon({ unread: count })
}

/** Puts the number onto the icon and asks the browser to wake the worker. Both only where they exist (not on iOS, not in Firefox). */
export function showWaiting(count: number): void {
  showOnIcon({ waiting: count })
  if (count > 0 && 'serviceWorker' in navigator && 'SyncManager' in window)
    navigator.serviceWorker
      .getRegistration()
      .then((found) =>
        (found as { sync?: { register(tag: string): Promise<void> } } | undefined)?.sync?.register(
          'lingbo-outbox',
        ),
      )
      .catch(ignore)
}
