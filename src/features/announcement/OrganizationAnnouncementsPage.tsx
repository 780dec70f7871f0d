// /organizations/{organizationId}/announcements: what one organization announced; to those who belong to it.
import { useGo } from '#screen/go.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { masked, useProfile } from '#screen/profile.ts'
import { CONTEXT, NAV } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { AnnouncementList } from './AnnouncementList.tsx'

/** `organization_id` as it stands in the address. */
export function OrganizationAnnouncementsPage({ organization_id }: { organization_id: string }) {
  const { go, open } = useGo()
  const { profile } = useProfile()
  const privacy = usePrivacy()
  const name = profile?.organizations.find(({ id }) => id === organization_id)?.name
  const shown = name && privacy.on ? masked(name) : name
  const back = { href: '/my-announcements', label: '公告', onOpen: () => open('/my-announcements') }
  return (
    <div className="page">
      <PageHead title="組織公告" back={back} meta={shown} />
      {profile && !name ? (
        <EmptyState
          card
          title={CONTEXT.missing}
          action={<Button {...go('/my-organizations')}>{NAV.my_organizations}</Button>}
        >
          你不在這個組織裡，或它已經解散。
        </EmptyState>
      ) : (
        <AnnouncementList
          here={`/organizations/${organization_id}/announcements`}
          sources={[organization_id]}
          empty={
            <EmptyState card title="還沒有公告">
              {shown ? `「${shown}」有事要說時，會出現在這裡。` : '這個組織有事要說時，會出現在這裡。'}
            </EmptyState>
          }
        />
      )}
    </div>
  )
}
