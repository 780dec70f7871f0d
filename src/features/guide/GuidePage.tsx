// /guide: how to do things, readable offline.
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'

export function GuidePage() {
  return (
    <div className="page">
      <PageHead title="使用指南" />
      <EmptyState card title="尚無資料" />
    </div>
  )
}
