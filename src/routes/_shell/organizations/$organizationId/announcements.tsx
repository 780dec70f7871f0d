// /organizations/{organizationId}/announcements: what one organization announced.
import { createFileRoute } from '@tanstack/react-router'
import { OrganizationAnnouncementsPage } from '#features/announcement/OrganizationAnnouncementsPage.tsx'
import { texts } from '#screen/search.ts'

export const Route = createFileRoute('/_shell/organizations/$organizationId/announcements')({
  staticData: { title: '組織公告', skeleton: 'list', of_organization: true },
  validateSearch: texts('id', 'of', 'tag', 'search', 'unread'),
  component: function Announcements() {
    const { organizationId } = Route.useParams()
    return <OrganizationAnnouncementsPage organization_id={organizationId} />
  },
})
