// /sso: finishes the sign-in of a provider from ?ticket=.
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function SsoPage() {
  return (
    <main className="page">
      <PageHead title="單一登入" />
      <EmptyState card title="尚無資料" />
    </main>
  )
}
