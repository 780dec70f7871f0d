// /reset-password: asks for the e-mail, or with ?token= sets a new password.
import { createFileRoute } from '@tanstack/react-router'
import { ResetPasswordPage } from '#features/session/ResetPasswordPage.tsx'
import { AppError } from '#features/shell/AppError.tsx'
import { texts } from '#screen/search.ts'

const search = texts('token', 'email', 'returnTo')

export const Route = createFileRoute('/reset-password')({
  staticData: { title: '重設密碼' },
  validateSearch: search,
  errorComponent: AppError,
  component: function ResetPassword() {
    const { token, email, returnTo } = Route.useSearch()
    return <ResetPasswordPage token={token} email={email} return_to={returnTo} />
  },
})
