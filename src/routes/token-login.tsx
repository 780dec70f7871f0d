// /token-login: signs in with a ticket that works once.
import { createFileRoute } from '@tanstack/react-router'
import { TokenLoginPage } from '#features/session/TokenLoginPage.tsx'
import { AppError } from '#features/shell/AppError.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/token-login')({
  staticData: { title: '登入連結' },
  validateSearch: texts('ticket', 'returnTo'),
  errorComponent: AppError,
  component: function TokenLogin() {
    const { ticket, returnTo } = Route.useSearch()
    return <TokenLoginPage ticket={ticket} return_to={returnTo} />
  },
})
