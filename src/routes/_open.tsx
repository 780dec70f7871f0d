// The shell for everybody: the demonstrations, with the person's own bars when there is one (spec §2, ruling A27).
import { createFileRoute } from '@tanstack/react-router'
import { profileQueries } from '#data/nouns/profile.ts'
import { AppError } from '#features/shell/AppError.tsx'
import { OpenShell } from '#features/shell/OpenShell.tsx'
import { prefetch } from '#screen/prefetch.ts'

export const Route = createFileRoute('/_open')({
  loader: () => prefetch(profileQueries.mine),
  errorComponent: AppError,
  component: OpenShell,
})
