// What waits for a page: its skeleton while the identity is being settled, the loading screen while its code is on the way (spec §2).
import { useRouterState } from '@tanstack/react-router'
import { LOADING } from '#text/spec.ts'
import { LoadingScreen } from '#ui/LoadingScreen.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { identityKnown } from './guard.ts'

/** The skeleton that the page on its way has named; `default` when it has named none. */
export function useSkeleton() {
  return useRouterState({
    select: (state) =>
      state.matches.findLast((match) => match.staticData.skeleton)?.staticData.skeleton ?? 'default',
  })
}

export function Pending() {
  const type = useSkeleton()
  if (!identityKnown() && type !== 'default') return <Skeleton type={type} />
  return <LoadingScreen {...LOADING.page} />
}
