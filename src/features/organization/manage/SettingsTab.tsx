/* 設定: name, introduction, how it is reached, what members see, leaving, dissolving. */
import { useState } from 'react'
import type { Organization } from '#contract/organization.ts'
import { Button } from '#ui/Button.tsx'
import { Card, Sides } from '#ui/Card.tsx'
import { LeaveOrganization } from '../parts/LeaveOrganization.tsx'
import { usePeople } from '../parts/people.ts'
import { ContactsCard } from './contact/ContactsCard.tsx'
import { DissolveDialog } from './DissolveDialog.tsx'
import { Fields } from './Fields.tsx'
import { LogoEditor } from './LogoEditor.tsx'
import { OrganizationForm } from './OrganizationForm.tsx'
import { QuotaCard } from './QuotaCard.tsx'
import { ShareSwitch } from './ShareSwitch.tsx'

export function SettingsTab({ organization }: { organization: Organization }) {
  const { cover } = usePeople()
  const [asking, setAsking] = useState<'leave' | 'dissolve' | null>(null)
  return (
    <Sides>
      <div className="stack">
        <Card title="基本資料" pad>
          <LogoEditor organization={organization} />
          <OrganizationForm organization={organization} />
        </Card>
        <ContactsCard organization={organization} />
      </div>
      <div className="stack">
        <Card title="成員看到的績效" pad>
          <ShareSwitch organization={organization} />
        </Card>
        <QuotaCard />
        <Card title="離開與解散" pad>
          <Fields>
            <div className="row gap12">
              <p className="sp t13 ink3">離開後不再是管理者，組織與其他成員不受影響。</p>
              <Button size="s" icon="logout" onClick={() => setAsking('leave')}>
                離開組織
              </Button>
            </div>
            <div className="row gap12">
              <p className="sp t13 ink3">策略、訊號、成員與群組會全部刪除，無法復原。</p>
              <Button size="s" kind="danger" icon="trash" onClick={() => setAsking('dissolve')}>
                解散組織
              </Button>
            </div>
          </Fields>
        </Card>
      </div>
      {asking === 'leave' && (
        <LeaveOrganization
          id={organization.id}
          name={cover(organization.name)}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'dissolve' && (
        <DissolveDialog organization={organization} onClose={() => setAsking(null)} />
      )}
    </Sides>
  )
}
