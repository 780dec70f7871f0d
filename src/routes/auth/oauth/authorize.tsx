// /auth/oauth/authorize: who asks, for what, as whom.
import { createFileRoute } from '@tanstack/react-router'
import { AuthorizePage } from '#features/oauth/AuthorizePage.tsx'
import { AppError } from '#features/shell/AppError.tsx'
import { texts } from '#features/shell/search.ts'

export const Route = createFileRoute('/auth/oauth/authorize')({
  staticData: { title: '授權' },
  validateSearch: texts('interaction'),
  errorComponent: AppError,
  component: AuthorizePage,
})
