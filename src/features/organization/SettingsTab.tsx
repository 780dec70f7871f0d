/* 設定: name, introduction, how it is reached, what members see, leaving, dissolving. */

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Organization } from '#contract/organization.ts'
import { organizationMutations } from '#data/nouns/organization.ts'
import { Ask } from '#screen/Ask.tsx'
import { failureSentence } from '#screen/failure.ts'
import { dissolving } from '#screen/leaving.ts'
import { toast } from '#screen/toast.ts'
import { number } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { Card, Sides } from '#ui/Card.tsx'
import { ImageButton } from '#ui/FileButton.tsx'
import { Avatar } from '#ui/Tag.tsx'
import { TextField } from '#ui/TextField.tsx'
import { ContactsCard } from './ContactsCard.tsx'
import { LeaveOrganization } from './Leave.tsx'
import { OrganizationForm } from './OrganizationForm.tsx'
import css from './OrganizationManagePage.module.css'
import { QuotaCard } from './OverviewTab.tsx'
import { Fields, TwoLines, usePeople } from './Parts.tsx'
import { ShareSwitch } from './StrategiesTab.tsx'
import { useOrganization } from './TabList.tsx'

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

/* The organization's picture: chosen, shown. */

export function LogoEditor({ organization }: { organization: Organization }) {
  const { ctx } = useOrganization()
  const { cover, face } = usePeople()
  const upload = useMutation(organizationMutations.logo(ctx))
  async function put(file: File) {
    try {
      await upload.mutateAsync({ id: organization.id, image: new Uint8Array(await file.arrayBuffer()) })
      toast({ title: '標誌已更新', icon: 'check' })
    } catch (error) {
      toast({ title: '標誌沒有變更', description: failureSentence(error), variant: 'destructive' })
    }
  }
  return (
    <div className={css.LogoEditor}>
      <Avatar name={cover(organization.name)} src={face(organization.logo)} size={64} />
      <TwoLines className={css.LogoEditorWords}>
        <ImageButton testId="logo-file" busy={upload.isPending} onFile={(file) => void put(file)}>
          {organization.logo ? '更換標誌' : '上傳標誌'}
        </ImageButton>
        <small>PNG、JPEG 或 WebP，會裁成正方形</small>
      </TwoLines>
    </div>
  )
}

/* 解散組織: what goes, and the name typed once more. */

export function DissolveDialog({
  organization,
  onClose,
}: {
  organization: Organization
  onClose: () => void
}) {
  const { ctx } = useOrganization()
  const [typed, setTyped] = useState('')
  const { name, counts } = organization
  return (
    <Ask
      title="解散組織"
      verb="解散組織"
      sticky={typed !== ''}
      disabled={typed.normalize('NFC').trim() !== name.normalize('NFC')}
      mutation={{ ...organizationMutations.remove(ctx), ...dissolving }}
      input={{ id: organization.id, name: typed }}
      done={{ title: `已解散「${name}」` }}
      safe="組織還在，"
      onClose={onClose}
    >
      <p>
        {counts
          ? `${number(counts.strategies)} 個策略與全部訊號、${number(counts.members)} 位成員、${number(counts.groups)} 個群組都會刪除，Webhook 網址立刻停用。無法復原。`
          : '策略與訊號、成員、群組都會刪除，Webhook 網址立刻停用。無法復原。'}
      </p>
      <TextField
        label={`輸入「${name}」以確認`}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
        placeholder={name}
      />
    </Ask>
  )
}
