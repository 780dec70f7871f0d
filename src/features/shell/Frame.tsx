// What stands around every page, signed in or not: the announcer, after the first paint the toasts, and errors when there are any.
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { patiently, useIdle } from '#screen/after-paint.ts'
import { withoutToasts } from '#screen/toast.ts'
import { errors, viewing } from '#state/app.ts'
import { install } from '#state/install.ts'
import { auth } from '#state/session.ts'
import { Announcer } from './Announcer.tsx'
import { tellError } from './app-error.ts'

const Toasts = besides(
  () => import('./Toasts.tsx').then(({ Toasts }) => ({ default: Toasts })),
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
  const idle = useIdle()
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
      {idle && (
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
