// The main shell: everything inside needs a login, and what a route's `permission` says (spec §2).
import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router'
import { profileQueries } from '#data/nouns/profile.ts'
import { AppError } from '#features/shell/AppError.tsx'
import { Shell } from '#features/shell/Shell.tsx'
import { enter } from '#screen/guard.ts'
import { prefetch } from '#screen/prefetch.ts'

const ForcePassword = lazyRouteComponent(
  () => import('#features/profile/ForcePasswordPage.tsx'),
  'ForcePasswordPage',
)

export const Route = createFileRoute('/_shell')({
  beforeLoad: ({ location, matches }): void => enter(location, matches),
  loader: () => prefetch(profileQueries.mine),
  errorComponent: AppError,
  component: () => <Shell forced={<ForcePassword />} />,
})
