// The main shell: everything inside needs a login (spec §2).
import { createFileRoute } from '@tanstack/react-router'
import { requireLogin } from '#features/shell/guard.ts'
import { Shell } from '#features/shell/Shell.tsx'

export const Route = createFileRoute('/_shell')({
  beforeLoad: ({ location }) => requireLogin(location),
  component: Shell,
})
