// /my-announcements: what the platform and all my organizations announced, in one list.
import { getData } from '#data/current.ts'
import { useGo } from '#screen/go.ts'
import { useProfile } from '#screen/profile.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { AnnouncementList } from './AnnouncementList.tsx'

export function MyAnnouncementsPage() {
  const { go } = useGo()
  const { profile } = useProfile()
  const mine = (profile?.organizations ?? []).map(({ id }) => id)
  const sources = getData().viewed ? mine : [null, ...mine]
  return (
    <div className="page">
      <PageHead title="公告" />
      <AnnouncementList
        here="/my-announcements"
        sources={sources}
        empty={
          <EmptyState card title="還沒有公告" action={<Button {...go('/dashboard')}>回到首頁</Button>}>
            平台或你的組織有事要說時，會出現在這裡。
          </EmptyState>
        }
      />
    </div>
  )
}
