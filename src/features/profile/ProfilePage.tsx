// /profile: one card per question: who, how to reach, how it looks, where signed in, what lies on this device.
import { useSearch } from '@tanstack/react-router'
import { NetworkError } from '#data/failure.ts'
import { Connection } from '#screen/Connection.tsx'
import { useAskedProfile } from '#screen/profile.ts'
import { failureText } from '#text/errors.ts'
import { PROFILE } from '#text/spec.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Sides } from '#ui/Card.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { AppearanceCard } from './AppearanceCard.tsx'
import { ConnectedAppsCard } from './ConnectedAppsCard.tsx'
import { DeleteCard } from './DeleteCard.tsx'
import { EmailCard } from './EmailCard.tsx'
import { ExportCard } from './ExportCard.tsx'
import { NameCard } from './NameCard.tsx'
import { PasswordCard } from './PasswordCard.tsx'
import { PushCard } from './PushCard.tsx'
import { QuotaCard } from './QuotaCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'
import { SignOutCard } from './SignOutCard.tsx'
import { StorageCard } from './StorageCard.tsx'

export function ProfilePage() {
  const { profile, failed, refetch } = useAskedProfile()
  const { verify }: { verify?: unknown } = useSearch({ strict: false })
  if (!profile) return null // the shell shows the loading screen until it is here
  // what is kept stays on the screen; being offline is said by the connection's own badge
  const stale = failed && !(failed instanceof NetworkError && failed.kind === 'offline')
  const email = (
    <EmailCard
      email={profile.email}
      verified={profile.email_verified}
      has_password={profile.has_password}
      verification={profile.verification}
    />
  )
  // ?verify: who comes for that sees that alone
  if (verify !== undefined && !profile.email_verified)
    return (
      <div className="page">
        <PageHead title="驗證信箱" />
        {email}
      </div>
    )
  return (
    <div className="page">
      <PageHead title="個人設定">
        <span className="mob">
          <Connection short />
        </span>
      </PageHead>
      <div className="stack">
        {stale && (
          <Banner
            tone="warn"
            icon="warning"
            action={
              <Button size="s" onClick={() => void refetch()}>
                重試
              </Button>
            }
          >
            {PROFILE.read_failed}：{failureText(failed)}
          </Banner>
        )}
        <Sides>
          <div className="stack">
            <NameCard name={profile.name} avatar={profile.avatar} />
            {email}
            <PasswordCard has_password={profile.has_password} />
            <AppearanceCard />
            <ExportCard />
            <SessionsCard has_password={profile.has_password} />
          </div>
          <div className="stack">
            <PushCard />
            <ConnectedAppsCard />
            <StorageCard />
            <QuotaCard />
            <SignOutCard />
            <DeleteCard has_password={profile.has_password} />
          </div>
        </Sides>
      </div>
    </div>
  )
}
