// The main shell: everything inside needs a login (spec §2).
import { createFileRoute } from '@tanstack/react-router'
import { profileQueries } from '#data/profile.ts'
import { requireLogin } from '#features/shell/guard.ts'
import { prefetch } from '#features/shell/prefetch.ts'
import { Shell } from '#features/shell/Shell.tsx'

export const Route = createFileRoute('/_shell')({
  beforeLoad: ({ location }) => requireLogin(location),
  loader: () => prefetch(profileQueries.mine),
  component: Shell,
})
