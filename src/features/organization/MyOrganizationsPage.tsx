// /my-organizations: my organizations, invitations and requests; ?invite=CODE opens one (ruling A8), ?invitation=ID puts one first.

import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { MyInvite, MyJoinRequest } from '#contract/join.ts'
import type { MyOrganization } from '#contract/organization.ts'
import {
  invitationQueries,
  joinMutations,
  joinQueries,
  organizationQueries,
} from '#data/nouns/organization.ts'
import { Ask } from '#screen/Ask.tsx'
import { Stale } from '#screen/Connection.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { useMay } from '#screen/profile.ts'
import { switchIdentity } from '#screen/switch.ts'
import { auth } from '#state/session.ts'
import { mdHm, number, ymd } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { when } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { DenyNote, EmptyState, FailState } from '#ui/EmptyState.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Avatar, Tag } from '#ui/Tag.tsx'
import { useEnter } from './enter.ts'
import { Answer, InviteBehind, InviteOver, JoinByCode, useAnswer } from './Join.tsx'
import { LeaveOrganization } from './Leave.tsx'
import css from './MyOrganizationsPage.module.css'
import {
  CardActions,
  ListRow,
  OrganizationCard,
  OrganizationHead,
  PeriodState,
  RowActions,
  TwoLines,
  usePeople,
} from './Parts.tsx'
import { periodStateWords, REQUEST_WORDS, ROLE_WORDS } from './words.ts'

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
  const type = { label: '以加入碼加入', onClick: () => setTyping(true) }
  const [answering, setAnswering] = useState<MyInvite | null>(null)
  const [answered, setAnswered] = useState<string>()
  const onAnswering = useCallback((one: MyInvite | null) => {
    setAnswering(one)
    if (one) setAnswered(one.id)
  }, [])
  const listed = (invites.data ?? []).filter(({ code }) => code !== invite)
  const all = answering && !listed.some(({ id }) => id === answering.id) ? [answering, ...listed] : listed
  const others = all.toSorted((a, b) => Number(b.id === invitation) - Number(a.id === invitation))
  const missing = invites.data && !invites.isFetching && !all.some(({ id }) => id === invitation)
  const open = shownRequests(requests.data ?? [])
  const asked = invite !== undefined || others.length > 0 || open.length > 0
  const create = (
    // an invitation is answered first: one key of a page is filled
    <Button kind={asked ? 'outline' : 'filled'} icon="plus" {...go('/organizations/create')}>
      建立組織
    </Button>
  )
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
          <InviteCard key={one.id} invite={one} onAnswering={onAnswering} />
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

/* One of my organizations: who I am in it, how long still, and the ways into it; outside its days, whom to ask. */

export type MyCardProps = { one: MyOrganization; onLeave: () => void }

export function MyCard({ one, onLeave }: MyCardProps) {
  const { cover } = usePeople()
  const enter = useEnter()
  const { org_id } = useSnapshot(auth)
  const here = org_id === one.id
  const valid = one.status === 'active' || one.status === 'expiring'
  const period = { starts_on: one.starts_on, ends_on: one.expires_on }
  const state = periodStateWords(one.status, period)
  const name = cover(one.name)
  return (
    <OrganizationCard as="li">
      <OrganizationHead
        name={name}
        logo={one.logo}
        dim={!valid}
        end={valid && <MyMenu name={name} one={one} onLeave={onLeave} />}
      >
        <p className="t13 ink3 num">
          {ROLE_WORDS[one.role]}
          {/* whoever is outside is told no counts: a 0 would say that the organization is empty */}
          {valid && ` · ${number(one.member_count)} 位成員 · ${number(one.strategy_count)} 個策略`}
        </p>
      </OrganizationHead>
      <PeriodState period={period} state={state}>
        {one.expires_on && <span className="t13 ink3 num">到 {ymd(one.expires_on)}</span>}
      </PeriodState>
      {valid ? (
        <CardActions>
          {one.role === 'admin' ? (
            <Button kind="tint" onClick={() => enter.manage(one.id)}>
              管理
            </Button>
          ) : (
            <Button kind="tint" onClick={() => enter.open(one.id, '/organizations/info')}>
              詳情
            </Button>
          )}
          {here ? (
            <Button onClick={() => switchIdentity(null)} icon="swap">
              切回個人身份
            </Button>
          ) : (
            <Button onClick={() => switchIdentity(one.id)} icon="swap">
              切換身份
            </Button>
          )}
        </CardActions>
      ) : (
        <Outside one={one} onLeave={onLeave} />
      )}
    </OrganizationCard>
  )
}

/** What is rarer: its page for an admin, whose card leads to 管理, and leaving. */
function MyMenu({ name, one, onLeave }: MyCardProps & { name: string }) {
  const enter = useEnter()
  const menu = `og-menu-${one.id}`
  return (
    <>
      <IconButton icon="more" label={`${name}：更多`} opensId={menu} />
      <Menu
        id={menu}
        label={`${name}：更多`}
        items={[
          ...(one.role === 'admin'
            ? [
                {
                  label: '詳情',
                  icon: 'info' as const,
                  onPick: () => enter.open(one.id, '/organizations/info'),
                },
              ]
            : []),
          { label: '離開組織', icon: 'logout', danger: true, onPick: onLeave },
        ]}
      />
    </>
  )
}

/** Before its first day and after its last: what is to be seen when, and whom to write to. */
function Outside({ one, onLeave }: MyCardProps) {
  const over = one.status === 'expired'
  const subject = encodeURIComponent(over ? `「${one.name}」續期` : `「${one.name}」的成員資格`)
  return (
    <>
      <p className="t13 ink2">
        {over
          ? '成員資格已到期，看不到組織的策略與訊號。請管理者續期；續期後，這裡會再出現「詳情」。'
          : `成員資格從 ${ymd(one.starts_on)} 開始，那天起看得到組織的策略與訊號。`}
      </p>
      <CardActions>
        {one.contact_email && (
          <Button kind="tint" icon="mail" href={`mailto:${one.contact_email}?subject=${subject}`}>
            {over ? '寫信請管理者續期' : '寫信給管理者'}
          </Button>
        )}
        <Button icon="logout" onClick={onLeave}>
          {over ? '從清單移除' : '離開組織'}
        </Button>
      </CardActions>
    </>
  )
}

/* An invitation that I received: from whom, as what, until when; accept or decline. */

/** `onAnswering` gets the invitation while it is being answered: until then its card stays, also when the list has lost it. */
export function InviteCard({
  invite,
  onAnswering,
}: {
  invite: MyInvite
  onAnswering: (answering: MyInvite | null) => void
}) {
  const { cover } = usePeople()
  const name = cover(invite.organization.name)
  const answer = useAnswer(name, invite.code)
  const busy = answer.busy !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list asked again gives another object of the same invitation
  useEffect(() => {
    if (!busy) return
    onAnswering(invite)
    return () => onAnswering(null)
  }, [busy, onAnswering])
  return (
    <OrganizationCard invites label={`${name}的邀請`}>
      <OrganizationHead name={name} logo={invite.organization.logo}>
        <p className="t13 ink2 num">
          {cover(invite.invited_by)} 邀請你成為{ROLE_WORDS[invite.role]}
          {invite.expires_on ? `，到 ${ymd(invite.expires_on)}` : '，沒有期限'}
        </p>
        <p className="t13 ink3 num">邀請有效到 {mdHm(invite.valid_until)}</p>
      </OrganizationHead>
      <Answer answer={answer} />
    </OrganizationCard>
  )
}

/* 我的申請: where I asked to join, what became of it; taken back while nobody has answered. */

const SHOWN_MS = 30 * 86_400_000

/**
 * The newest of each organization (they come newest first). Approved ones stand above as organizations, those taken back say nothing
 * any more, and an answer has been read after a month.
 */
export function shownRequests(all: readonly MyJoinRequest[]): readonly MyJoinRequest[] {
  const newest = all.filter(
    (one, i) => all.findIndex(({ organization }) => organization.id === one.organization.id) === i,
  )
  return newest.filter(({ status, decided_at, expires_at }) =>
    status === 'pending'
      ? true
      : status !== 'approved' &&
        status !== 'cancelled' &&
        Date.parse(decided_at ?? expires_at) > serverNow() - SHOWN_MS,
  )
}

export function MyRequests({ requests }: { requests: readonly MyJoinRequest[] }) {
  const { cover, face } = usePeople()
  const [cancelling, setCancelling] = useState<MyJoinRequest | null>(null)
  return (
    <Card title="我的申請" flush>
      <ul>
        {requests.map((one) => {
          const name = cover(one.organization.name)
          const state = REQUEST_WORDS[one.status]
          return (
            <ListRow key={one.id} wraps>
              <div className={css.MyRequestsWho}>
                <Avatar name={name} src={face(one.organization.logo)} size={36} />
                <TwoLines className="sp">
                  <b className="el">{name}</b>
                  <small className="num">{note(one)}</small>
                </TwoLines>
              </div>
              <Tag tone={state.tone} icon={state.icon}>
                {state.text}
              </Tag>
              {one.status === 'pending' && (
                <RowActions>
                  <Button size="s" kind="soft" label={`取消申請：${name}`} onClick={() => setCancelling(one)}>
                    取消申請
                  </Button>
                </RowActions>
              )}
            </ListRow>
          )
        })}
      </ul>
      {cancelling && (
        <Ask
          title={`取消加入「${cover(cancelling.organization.name)}」的申請？`}
          verb="取消申請"
          icon="close"
          mild
          mutation={joinMutations.cancel()}
          input={cancelling.id}
          done={{ title: '已取消申請' }}
          safe="申請還在，"
          onClose={() => setCancelling(null)}
        >
          <p>管理者不會再看到這份申請。之後可以再用邀請連結或加入碼申請一次。</p>
        </Ask>
      )}
    </Card>
  )
}

function note({ status, created_at, expires_at, reason }: MyJoinRequest): string {
  const asked = `申請於 ${when(created_at, serverNow())}`
  if (status === 'pending') return `${asked}，${mdHm(expires_at)} 前沒有審核就過期`
  if (status === 'expired') return `${asked}，30 天內沒有審核；可以再申請一次`
  return reason ? `管理者說：${reason}` : `${asked}；需要時請洽組織的管理者`
}
