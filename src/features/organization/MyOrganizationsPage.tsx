// /my-organizations: my organizations, invitations and requests; ?invite=CODE opens one (ruling A8), ?invitation=ID puts one first.

import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { MyInvite } from '#contract/join.ts'
import type { MyOrganization } from '#contract/organization.ts'
import { invitationQueries, joinQueries } from '#data/nouns/invitation.ts'
import { organizationQueries } from '#data/nouns/organization.ts'
import { Stale } from '#screen/Connection.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { useMay } from '#screen/profile.ts'
import { Button } from '#ui/Button.tsx'
import { DenyNote, EmptyState, FailState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import css from './MyOrganizationsPage.module.css'
import { InviteBehind } from './mine/InviteBehind.tsx'
import { InviteCard } from './mine/InviteCard.tsx'
import { InviteOver } from './mine/InviteOver.tsx'
import { JoinByCode } from './mine/JoinByCode.tsx'
import { MyCard } from './mine/MyCard.tsx'
import { MyRequests, shownRequests } from './mine/MyRequests.tsx'
import { LeaveOrganization } from './parts/LeaveOrganization.tsx'
import { usePeople } from './parts/people.ts'

export function MyOrganizationsPage() {
  const { go } = useGo()
  const { cover } = usePeople()
  const { invite, invitation }: { invite?: string; invitation?: string } = useSearch({ strict: false })
  const may_create = useMay('organization:create')
  const [leaving, setLeaving] = useState<MyOrganization | null>(null)
  const mine = useQuery(organizationQueries.mine())
  const invites = useQuery(invitationQueries.mine())
  const requests = useQuery(joinQueries.mine())
  const [typing, setTyping] = useState(false)
  const create = (
    <Button kind="filled" icon="plus" {...go('/organizations/create')}>
      建立組織
    </Button>
  )
  const type = { label: '以加入碼加入', onClick: () => setTyping(true) }
  const [held, setHeld] = useState<MyInvite | null>(null)
  const [answered, setAnswered] = useState<string>()
  const hold = useCallback((one: MyInvite | null) => {
    setHeld(one)
    if (one) setAnswered(one.id)
  }, [])
  const listed = (invites.data ?? []).filter(({ code }) => code !== invite)
  const all = held && !listed.some(({ id }) => id === held.id) ? [held, ...listed] : listed
  const others = all.toSorted((a, b) => Number(b.id === invitation) - Number(a.id === invitation))
  const missing = invites.data && !invites.isFetching && !all.some(({ id }) => id === invitation)
  const open = shownRequests(requests.data ?? [])
  const asked = invite !== undefined || others.length > 0 || open.length > 0
  // What stands above the list is known first: nothing below it moves.
  const behind = useQuery({ ...invitationQueries.behind(invite ?? ''), enabled: invite !== undefined })
  const waits = behind.isLoading || (invitation !== undefined && invites.isLoading)
  const failed = (!invites.data && invites.error) || (!requests.data && requests.error)
  return (
    <div className="page">
      <PageHead className={css.head} title="我的組織">
        {(asked || mine.data?.length !== 0) && (
          <>
            {/* the title keeps its line on a phone */}
            <Button {...type}>加入碼</Button>
            {may_create && create}
          </>
        )}
      </PageHead>
      <div className="stack">
        {invite !== undefined && <InviteBehind key={invite} code={invite} />}
        {missing && invitation !== undefined && invitation !== answered && <InviteOver />}
        {others.map((one) => (
          <InviteCard key={one.id} invite={one} onHold={hold} />
        ))}
        {waits ? (
          invite === undefined && <Skeleton label="邀請載入中" />
        ) : mine.data ? (
          <>
            {mine.error && <Stale at={mine.dataUpdatedAt} />}
            {mine.data.length === 0 ? (
              // what is to be answered comes first: no word of having been sent nothing below it
              !asked && (
                <EmptyState
                  card
                  title="還沒有組織"
                  action={
                    <>
                      {may_create && create}
                      <Button {...type} icon="link">
                        以加入碼加入
                      </Button>
                    </>
                  }
                >
                  建立一個，把策略與訊號分享給成員；要加入別人的，請管理者寄邀請，或給你連結、加入碼。
                </EmptyState>
              )
            ) : (
              <ul className={css.cards}>
                {mine.data.map((one) => (
                  <MyCard key={one.id} one={one} onLeave={() => setLeaving(one)} />
                ))}
              </ul>
            )}
            {open.length > 0 && <MyRequests requests={open} />}
            {failed && (
              <FailState
                card
                title="讀不到收到的邀請與我的申請"
                busy={invites.isFetching || requests.isFetching}
                onRetry={() => void Promise.all([invites.refetch(), requests.refetch()])}
              >
                {failureSentence(failed)}
              </FailState>
            )}
            {!may_create && (
              <DenyNote title="為什麼不能建立組織？">
                你現在以組織的身份操作；建立組織要用個人身份。打開身份選單，切換到個人身份再試一次。
              </DenyNote>
            )}
          </>
        ) : mine.error ? (
          <FailState
            card
            title="讀不到我的組織"
            busy={mine.isFetching}
            onRetry={() => void Promise.all([mine.refetch(), invites.refetch(), requests.refetch()])}
          >
            {failureSentence(mine.error)}
          </FailState>
        ) : (
          <Skeleton label="我的組織載入中" />
        )}
      </div>
      {typing && <JoinByCode onClose={() => setTyping(false)} />}
      {leaving && (
        <LeaveOrganization id={leaving.id} name={cover(leaving.name)} onClose={() => setLeaving(null)} />
      )}
    </div>
  )
}
