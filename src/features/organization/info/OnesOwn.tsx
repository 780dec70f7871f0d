/* /organizations/info as oneself: no organization is meant, so that there is nothing to read, only where the person belongs. */
import { useGo } from '#screen/go.ts'
import { OrganizationsCard } from '#screen/OrganizationsCard.tsx'
import { useProfile } from '#screen/profile.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { OrganizationPage } from '../OrganizationPage.tsx'

export function OnesOwn() {
  const { go, open } = useGo()
  const { profile } = useProfile()
  return (
    <OrganizationPage>
      {!profile ? (
        <Skeleton type="detail" label="組織載入中" title="組織詳情" />
      ) : (
        <>
          <PageHead title="組織詳情" />
          {profile.organizations.length > 0 ? (
            <OrganizationsCard
              title="選一個組織"
              onEnter={(id) => open(`/organizations/info?org=${id}`, true)}
            />
          ) : (
            <EmptyState
              card
              title="你還沒有組織"
              action={<Button {...go('/my-organizations')}>我的組織</Button>}
            >
              收到的邀請、加入碼與建立組織，都在我的組織。
            </EmptyState>
          )}
        </>
      )}
    </OrganizationPage>
  )
}
