// What stands around every page, signed in or not: the announcer and, after the first paint, the toasts.
import { lazy, type ReactNode, Suspense } from 'react'
import { Announcer } from './Announcer.tsx'
import { useIdle } from './idle.ts'

const Toasts = lazy(() => import('./Toasts.tsx').then(({ Toasts }) => ({ default: Toasts })))

export function Frame({ children }: { children: ReactNode }) {
  const idle = useIdle()
  return (
    <>
      {children}
      <Announcer />
      {idle && (
        <Suspense fallback={null}>
          <Toasts />
        </Suspense>
      )}
    </>
  )
}
