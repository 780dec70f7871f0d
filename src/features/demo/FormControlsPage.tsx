// /test-shadcn: the form controls and dialogs alone, without login.
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function FormControlsPage() {
  return (
    <main className="page">
      <PageHead title="表單元件" />
      <EmptyState card title="尚無資料" />
    </main>
  )
}
