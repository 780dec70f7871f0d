// What stands around pages that only tell something (403, not found): the usual bars, as soon as they can be drawn.
import { createFileRoute } from '@tanstack/react-router'
import { AppError } from '#features/shell/AppError.tsx'
import { ToldShell } from '#features/shell/OpenShell.tsx'

export const Route = createFileRoute('/_told')({
  errorComponent: AppError,
  component: ToldShell,
})
