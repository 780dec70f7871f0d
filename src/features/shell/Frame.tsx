// What stands around every page, signed in or not: the announcer, after the first paint the toasts, and errors when there are any.
import { lazy, type ReactNode, Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { errors } from '#state/errors.ts'
import { install } from '#state/install.ts'
import { auth } from '#state/session.ts'
import { Announcer } from './Announcer.tsx'
import { useIdle } from './idle.ts'
import { patiently } from './patiently.ts'

const Toasts = lazy(() => patiently(() => import('./Toasts.tsx').then(({ Toasts }) => ({ default: Toasts }))))

const InstallPrompt = lazy(() =>
  patiently(() => import('./InstallPrompt.tsx').then(({ InstallPrompt }) => ({ default: InstallPrompt }))),
)
const ErrorList = lazy(() =>
  patiently(() => import('./ErrorList.tsx').then(({ ErrorList }) => ({ default: ErrorList }))),
)

export function Frame({ children }: { children: ReactNode }) {
  const idle = useIdle()
  const { items } = useSnapshot(errors)
  const { offer } = useSnapshot(install)
  const { uid } = useSnapshot(auth)
  return (
    <>
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
