// What happens on the screen when the identity ends or changes: the redirects of spec §4 and §8, also for what other tabs do.
import type { AnyRouter } from '@tanstack/react-router'
import { getData } from '#data/current.ts'
import type { DataPorts } from '#data/start.ts'
import { type Acting, afterPaint, afterSwitch } from '#screen/after-paint.ts'
import { session } from '#screen/device.ts'
import { isSignedIn } from '#screen/guard.ts'
import { lostWords } from '#screen/leaving.ts'
import { actingAs, covered, knownProfile } from '#screen/profile.ts'
import {
  CONTEXT_SWITCHED,
  type ContextSwitched,
  followElsewhere,
  resume,
  switched,
  switching,
  whenDrawn,
} from '#screen/switch.ts'
import { toast } from '#screen/toast.ts'
import { auth } from '#state/session.ts'
import { LOGIN, SIGNED_OUT } from '#text/spec.ts'

/** Pages on which one signs in: whose session ended there is already where they must go (spec §8). */
const SIGNS_IN = /^\/(login|sso|token-login)\/?$/
/** What an address may name that belongs to the identity that was left. */
const OWN = ['org', 'signal', 'delivery', 'connect']

export interface FollowedIdentity
  extends Pick<DataPorts, 'on_signed_out' | 'on_context_lost' | 'on_context_elsewhere'> {
  /** Another tab has signed in or out. */
  on_session_elsewhere(): void
}

/** The callbacks of the data layer, moving `router`; listens for `context-switched` from now on. */
export function followIdentity(router: AnyRouter): FollowedIdentity {
  const go = (to: string) => {
    if (router.state.location.pathname === to) void router.invalidate()
    else {
      // before the first page stands there is nothing to cover
      if (router.state.resolvedLocation) switching.to = to
      leave(router, to)
    }
  }
  addEventListener(CONTEXT_SWITCHED, (event) => {
    const { from, to, stay, home } = (event as CustomEvent<ContextSwitched>).detail
    if (home) go('/dashboard')
    else if (!stay) land(router, actingAs(from), actingAs(to), go)
  })
  router.subscribe('onResolved', () => {
    switching.to = null
  })
  // a page that was left by a full load and comes back from the browser's cache
  addEventListener('pageshow', () => {
    switching.to = null
    switching.loads = false
  })
  return {
    on_signed_out(reason) {
      if (reason === 'elsewhere' && resume('home')) return
      if (reason === 'unauthorized') toast({ ...words(LOGIN.needed), variant: 'destructive' })
      if (reason === 'elsewhere') toast({ title: SIGNED_OUT, icon: 'info' })
      if (!SIGNS_IN.test(router.state.location.pathname)) leave(router, '/')
    },
    on_context_lost(organization_id, reason) {
      const name = knownProfile()?.organizations.find(({ id }) => id === organization_id)?.name
      toast({
        title: lostWords(organization_id, reason, name ? covered(name) : null),
        icon: 'info',
      })
      switched(organization_id, 'home')
    },
    on_context_elsewhere: followElsewhere,
    on_session_elsewhere() {
      if (isSignedIn()) getData().look()
      else if (resume()) void router.invalidate()
    },
  }
}

/** The role in the current organization has changed: pages that the new one may not see are left (ruling A14). */
export function followRole(router: AnyRouter, before: Acting['role']): void {
  land(router, { org_id: auth.org_id, role: before }, actingAs(auth.org_id), (to) => leave(router, to))
}

/** The page is left in any case: whoever had something unsent was asked before, or has no say any more. */
function leave(router: AnyRouter, to: string): void {
  router.history.push(to, undefined, { ignoreBlocker: true })
  // what ended while nobody looked is told before the first page stands: nobody follows the address yet
  if (router.history.subscribers.size === 0) void router.load()
}

function land(router: AnyRouter, from: Acting, to: Acting, go: (to: string) => void): void {
  const { pathname, searchStr } = router.state.location
  // reading the device's storage takes as long as drawing a card: only where it can matter
  const from_my_organization = pathname.startsWith('/my-organizations') && session.from_my_organization()
  if (from_my_organization) session.set_from_my_organization(false)
  else afterPaint(() => session.set_from_my_organization(false))
  const landing = afterSwitch(pathname, from, to, { from_my_organization })
  if (landing.kind === 'load') {
    switching.to = landing.to
    switching.loads = true
    // after the skeleton has taken the old page's place: its form would ask once more
    setTimeout(() => location.assign(landing.to))
    return
  }
  if (landing.kind === 'go') {
    go(landing.to)
    return
  }
  const query = new URLSearchParams(searchStr)
  for (const name of OWN) query.delete(name)
  const rest = query.size > 0 ? `?${query}` : ''
  if (from.org_id === to.org_id) {
    void router.invalidate()
    return
  }
  // how far the other identity's page was scrolled means nothing on this one
  scrollTo(0, 0)
  if (rest !== searchStr) router.history.replace(pathname + rest)
  // every identity may stand on a page that stays: its guards are asked again, but nobody waits for them
  else void (whenDrawn() ?? Promise.resolve()).then(() => router.invalidate())
}

const words = ({ title, text }: { title: string; text: string }) => ({ title, description: text })
