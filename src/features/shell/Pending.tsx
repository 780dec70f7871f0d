// What waits for a page: its skeleton while the identity is being settled, the loading screen while its code is on the way (spec §2).
import { useRouterState } from '@tanstack/react-router'
import { identityKnown } from '#screen/guard.ts'
import { LOADING } from '#text/spec.ts'
import { LoadingScreen, Skeleton } from '#ui/Skeleton.tsx'

/** The skeleton that the page on its way has named, `default` when it has named none, and its title. */
export function useSkeleton() {
  return useRouterState({
    select: ({ matches }) => ({
      type: matches.findLast((match) => match.staticData.skeleton)?.staticData.skeleton ?? 'default',
      title: matches.findLast((match) => match.staticData.title)?.staticData.title,
    }),
    structuralSharing: true,
  })
}

export function Pending() {
  const waited = useSkeleton()
  if (!identityKnown() && waited.type !== 'default') return <Skeleton {...waited} />
  return <LoadingScreen {...LOADING.page} />
}
