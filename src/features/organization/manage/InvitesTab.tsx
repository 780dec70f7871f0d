/* 邀請: the ways in: links, the code, and the mails that were sent, where each stands, send again, take back. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { INVITE_STATES, type Invite } from '#contract/join.ts'
import type { Organization } from '#contract/organization.ts'
import { invitationQueries } from '#data/nouns/invitation.ts'
import { Button } from '#ui/Button.tsx'
import { Sides } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { INVITE_WORDS } from '../parts/words.ts'
import { Bar } from './Bar.tsx'
import { CancelInvite } from './CancelInvite.tsx'
import { InviteRow } from './InviteRow.tsx'
import { InviteSheet } from './InviteSheet.tsx'
import css from './InvitesTab.module.css'
import { JoinCodeCard } from './join/JoinCodeCard.tsx'
import { LinksCard } from './join/LinksCard.tsx'
import { NothingOf, StateChips, useStatus } from './StateFilter.tsx'
import { TabList } from './TabList.tsx'
import { useInFolder } from './use-in-folder.ts'
import { PAGE, useOrganization, usePlace } from './use-place.ts'

export function InvitesTab({ organization }: { organization: Organization }) {
  const { id, ctx } = useOrganization()
  const { page } = usePlace()
  const [inviting, setInviting] = useState(false)
  const [cancelling, setCancelling] = useState<Invite | null>(null)
  const status = useStatus(INVITE_STATES)
  const in_folder = useInFolder()
  const list = useQuery(invitationQueries.sent(ctx, id, { page, page_size: PAGE, ...(status && { status }) }))
  const write = (
    <Button kind="filled" icon="mail" onClick={() => setInviting(true)}>
      {in_folder ? '邀請成員' : '寄出邀請'}
    </Button>
  )
  return (
    <>
      <div className={css.ways}>
        <Sides>
          <LinksCard />
          <JoinCodeCard organization={organization} />
        </Sides>
      </div>
      <h2 className={css.mails}>{in_folder ? '個別邀請' : '邀請信'}</h2>
      <Bar
        chips={<StateChips states={INVITE_STATES} words={INVITE_WORDS} />}
        action={(status !== undefined || list.data?.total !== 0) && write}
      />
      <TabList
        query={list}
        title="讀不到邀請"
        counter="份"
        empty={
          status === undefined ? (
            <EmptyState card title="還沒有寄過邀請" action={write}>
              {in_folder
                ? '填上成員的電子郵件，每個人有自己的連結，由你傳給對方。'
                : '貼上成員的電子郵件，每個人會收到一封信，從信裡的連結加入。'}
            </EmptyState>
          ) : (
            <NothingOf state={INVITE_WORDS[status].text} what="邀請" />
          )
        }
      >
        {(items) => (
          <ul className="card flush">
            {items.map((invite) => (
              <InviteRow key={invite.id} invite={invite} onCancel={() => setCancelling(invite)} />
            ))}
          </ul>
        )}
      </TabList>
      {inviting && <InviteSheet onClose={() => setInviting(false)} />}
      {cancelling && <CancelInvite invite={cancelling} onClose={() => setCancelling(null)} />}
    </>
  )
}
