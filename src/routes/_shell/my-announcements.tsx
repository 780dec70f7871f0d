// /my-announcements: what the platform and my organizations announced.
import { createFileRoute } from '@tanstack/react-router'
import { MyAnnouncementsPage } from '#features/announcement/MyAnnouncementsPage.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_shell/my-announcements')({
  staticData: { title: '公告', skeleton: 'list' },
  validateSearch: texts('id', 'of', 'tag', 'search', 'unread'),
  component: MyAnnouncementsPage,
})
