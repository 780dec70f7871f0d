// /sso: finishes the sign-in of a provider from ?ticket=.
import { createFileRoute } from '@tanstack/react-router'
import { SsoPage } from '#features/session/SsoPage.tsx'
import { AppError } from '#features/shell/AppError.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/sso')({
  staticData: { title: '以其他帳號登入' },
  validateSearch: texts('ticket', 'error', 'returnTo'),
  errorComponent: AppError,
  component: function Sso() {
    const { ticket, error, returnTo } = Route.useSearch()
    return <SsoPage ticket={ticket} error={error} return_to={returnTo} />
  },
})
