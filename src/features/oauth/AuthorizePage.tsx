// /auth/oauth/authorize: who asks, for what, as whom.
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function AuthorizePage() {
  return (
    <main className="page">
      <PageHead title="授權" />
      <EmptyState card title="尚無資料" />
    </main>
  )
}
