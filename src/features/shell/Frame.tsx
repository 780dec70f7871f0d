// What stands around every page, signed in or not: the announcer; toasts, the offer to install and errors when there is one, and their code with it.

import { useRouterState } from '@tanstack/react-router'
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { patiently } from '#screen/after-paint.ts'
import { documentTitle, learned } from '#screen/title.ts'
import { toasts, withoutToasts } from '#screen/toast.ts'
import { errors, viewing } from '#state/app.ts'
import { install } from '#state/install.ts'
import { auth } from '#state/session.ts'
import { tellError } from './app-error.ts'

const Toasts = besides(
  () =>
    import('./Toasts.tsx').then(
      ({ Toasts }) => ({ default: Toasts }),
      (error: unknown) => {
        // not on this device yet, and the network is gone: what is said does not wait for it
        if (!navigator.onLine) withoutToasts()
        throw error
      },
    ),
  (error) => {
    withoutToasts()
    tellError(error)
  },
)
/** Nobody looks as somebody else without being told so: a reload ends it. */
const ViewBanner = besides(
  () => import('./ViewBanner.tsx').then(({ ViewBanner }) => ({ default: ViewBanner })),
  () => location.reload(),
)
const InstallPrompt = besides(
  () => import('./InstallPrompt.tsx').then(({ InstallPrompt }) => ({ default: InstallPrompt })),
  tellError,
)
const ErrorList = besides(
  () => import('./ErrorList.tsx').then(({ ErrorList }) => ({ default: ErrorList })),
  (error) => console.warn('error list', error),
)

/** What stands beside the page: when its code does not come, `tell` hears why and the page goes on without it. */
function besides(load: () => Promise<{ default: ComponentType }>, tell: (error: unknown) => void) {
  return lazy(() =>
    patiently(load).catch((error: unknown) => {
      tell(error)
      return { default: () => null }
    }),
  )
}

export function Frame({ children }: { children: ReactNode }) {
  const { wanted } = useSnapshot(toasts)
  const { items } = useSnapshot(errors)
  const { offer } = useSnapshot(install)
  const { uid } = useSnapshot(auth)
  const { member } = useSnapshot(viewing)
  return (
    <>
      {member && (
        <Suspense fallback={null}>
          <ViewBanner />
        </Suspense>
      )}
      {children}
      <Announcer />
      {wanted && (
        <Suspense fallback={null}>
          <Toasts />
        </Suspense>
      )}
      {offer !== null && uid !== null && (
        <Suspense fallback={null}>
          <InstallPrompt />
        </Suspense>
      )}
      {items.length > 0 && (
        <Suspense fallback={null}>
          <ErrorList />
        </Suspense>
      )}
    </>
  )
}

// After a navigation: the title in the tab, the focus on the heading, the words for screen readers, the scroll at the top.

/** Waits at most this long for a page's heading: on a slow line its data comes late, and until then its skeleton stands there. */
const HEADING_MS = 60_000

/** Gives the focus to the page's h1, now or as soon as it is there; gives up when the person has moved on. */
function focusHeading(): () => void {
  const from = document.activeElement
  const found = () => {
    const heading = document.querySelector<HTMLElement>('main h1, #root h1')
    if (!heading) return false
    const moved = document.activeElement !== from && document.activeElement !== document.body
    if (!moved) {
      if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }
    return true
  }
  if (found()) return () => {}
  const watch = new MutationObserver(() => {
    if (found()) watch.disconnect()
  })
  watch.observe(document.body, { childList: true, subtree: true })
  const timer = setTimeout(() => watch.disconnect(), HEADING_MS)
  return () => {
    clearTimeout(timer)
    watch.disconnect()
  }
}

export function Announcer() {
  const { path, hash, words } = useRouterState({
    select: (state) => ({
      path: state.resolvedLocation?.pathname ?? '',
      hash: state.resolvedLocation?.hash ?? '',
      words: state.matches.findLast((match) => match.staticData.title)?.staticData.title,
    }),
    structuralSharing: true,
  })
  const name = useSnapshot(learned)
  const title = documentTitle(name.title && name.path === path ? name.title : words)
  const before = useRef<string | null>(null)
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    if (path === '' || before.current === path) return
    const first = before.current === null
    before.current = path
    // search-only changes (tabs, a drawer) stay where they are; every other change starts at the top, also Back (ruling C30)
    if (!hash) scrollTo({ top: 0, behavior: 'instant' })
    return first ? undefined : focusHeading()
  }, [path, hash])
  return (
    <p id="announce" className="vh" aria-live="polite">
      {path !== '' && before.current !== null ? title : ''}
    </p>
  )
}
