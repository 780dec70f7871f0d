// /my-announcements: what the platform and my organizations announced; nobody has announced anything yet.
import { useGo } from '#screen/go.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function MyAnnouncementsPage() {
  const { go } = useGo()
  return (
    <div className="page">
      <PageHead title="公告" />
      <EmptyState card title="尚無資料" action={<Button {...go('/dashboard')}>回到首頁</Button>}>
        平台和你的組織都還沒有公告。
      </EmptyState>
    </div>
  )
}
