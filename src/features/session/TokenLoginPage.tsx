// /token-login: signs in with a ticket that works once.
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function TokenLoginPage() {
  return (
    <main className="page">
      <PageHead title="登入連結" />
      <EmptyState card title="尚無資料" />
    </main>
  )
}
