// /login: sign in or register; a signed-in visitor goes on to where they wanted.
import { createFileRoute, redirect } from '@tanstack/react-router'
import { LoginPage } from '#features/session/LoginPage.tsx'
import { safeReturnTo } from '#features/session/return-to.ts'
import { AppError } from '#features/shell/AppError.tsx'
import { isSignedIn } from '#screen/guard.ts'
import { texts } from '#screen/search.ts'

const search = texts('tab', 'returnTo')

export const Route = createFileRoute('/login')({
  staticData: { title: '登入' },
  validateSearch: search,
  beforeLoad: ({ search }) => {
    if (isSignedIn()) throw redirect({ href: safeReturnTo(search.returnTo) ?? '/dashboard', replace: true })
  },
  errorComponent: AppError,
  component: function Login() {
    const { tab, returnTo } = Route.useSearch()
    return <LoginPage tab={tab === 'register' ? 'register' : 'login'} return_to={returnTo} />
  },
})
