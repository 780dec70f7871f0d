/* 總覽: how large the organization is, what runs out and what waits, what comes next for a new one. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Member } from '#contract/membership.ts'
import type { Organization } from '#contract/organization.ts'
import { groupQueries, invitationQueries, membershipQueries, usageQueries } from '#data/nouns/organization.ts'
import { useGo } from '#screen/go.ts'
import { CreateStrategy } from '#screen/ListActions.tsx'
import { UsageCard } from '#screen/UsageCard.tsx'
import { mdHm, number, ymd } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { Card, Sides } from '#ui/Card.tsx'
import { cx, opens } from '#ui/open.ts'
import { StepMark } from '#ui/Tag.tsx'
import { InviteSheet } from './InvitesTab.tsx'
import { MemberSheet } from './MemberSheet.tsx'
import css from './OrganizationManagePage.module.css'
import { ListRow, ListState, Person, RowLink, Rows, TwoLines, usePeople } from './Parts.tsx'
import { useOrganization } from './TabList.tsx'
import { ROLE_WORDS, unreadGroups } from './words.ts'

const HERE = '/organizations/manage?tab='

export function OverviewTab({ organization }: { organization: Organization }) {
  const { open } = useGo()
  const counts = organization.counts
  const figures = counts
    ? [
        { label: '成員', value: counts.members, href: `${HERE}members` },
        { label: '管理者', value: counts.admins, href: `${HERE}members&role=admin` },
        { label: '策略', value: counts.strategies, href: `${HERE}strategies` },
        { label: '策略群組', value: counts.groups, href: `${HERE}groups` },
        { label: '待審核的申請', value: counts.pending_requests, href: `${HERE}requests` },
        // a place in a group ends by itself: what ends soon of both stands in the card below
        { label: '成員資格 7 天內到期', value: counts.expiring_7d, href: `${HERE}members&status=expiring` },
      ]
    : []
  return (
    <div className="stack">
      <div className={css.OverviewTabFigures}>
        {figures.map(({ label, value, href }) => (
          <a
            key={label}
            className={cx(css.OverviewTabFigure, 'card')}
            href={href}
            onClick={opens(() => open(href))}
          >
            <span className="t13 ink3">{label}</span>
            <b className="num">{number(value)}</b>
          </a>
        ))}
      </div>
      {counts && <NextSteps counts={counts} />}
      <Sides>
        <EndingCard counts={counts} />
        <WaitingCard />
      </Sides>
    </div>
  )
}

/* What of the organization's room on the server is taken. */

export function QuotaCard() {
  const { id, ctx } = useOrganization()
  return (
    <UsageCard
      query={useQuery(usageQueries.organization(ctx, id))}
      whose="這裡是組織的用量，上限與帶領組織的管理者合用。"
    />
  )
}

/* What a new organization still lacks before a member sees its first signal; nothing once it is all there. */

export function NextSteps({ counts }: { counts: NonNullable<Organization['counts']> }) {
  const { go } = useGo()
  const steps = [
    { key: 'strategy', done: counts.strategies > 0, title: '建立組織的策略', note: '以組織的身份新增' },
    {
      key: 'group',
      done: counts.groups > 0,
      title: '建立策略群組',
      note: '把策略放進去，決定誰看得到',
      verb: '建立群組',
      href: '/organizations/manage?tab=groups',
    },
    {
      key: 'member',
      done: counts.members > counts.admins,
      title: '邀請成員',
      note: '邀請時就能選群組與到期日',
      verb: '邀請成員',
      href: '/organizations/manage?tab=invites',
    },
  ]
  const next = steps.find(({ done }) => !done)
  if (!next) return null
  const done = steps.filter((step) => step.done).length
  return (
    <Card
      title="開始使用"
      remark={
        <span className="t13 ink3 num">
          {done}／{steps.length}
        </span>
      }
    >
      <ol>
        {steps.map((step, at) => (
          <ListRow key={step.key}>
            <StepMark number={at + 1} state={step.done ? 'done' : step === next ? 'next' : 'open'} />
            <TwoLines className="sp">
              <b>{step.title}</b>
              <small>{step.done ? '完成' : step.note}</small>
            </TwoLines>
            {step === next &&
              (step.href ? (
                <Button size="s" kind="filled" {...go(step.href)}>
                  {step.verb}
                </Button>
              ) : (
                <CreateStrategy>
                  {(link) => (
                    <Button size="s" kind="filled" {...link}>
                      建立策略
                    </Button>
                  )}
                </CreateStrategy>
              ))}
          </ListRow>
        ))}
      </ol>
    </Card>
  )
}

/* 等待回覆的邀請: who was asked and has not answered; the newest five. */

const SHOWN = 5

export function WaitingCard() {
  const { id, ctx } = useOrganization()
  const { go } = useGo()
  const { cover } = usePeople()
  const [inviting, setInviting] = useState(false)
  const sent = useQuery(invitationQueries.sent(ctx, id, { status: 'pending', page_size: SHOWN }))
  const total = sent.data?.total ?? 0
  return (
    <Card
      title="等待回覆的邀請"
      {...(total > 0 && { count: total })}
      action={
        total > SHOWN ? (
          <Button size="s" {...go('/organizations/manage?tab=invites')}>
            看全部
          </Button>
        ) : (
          <Button size="s" kind="tint" icon="plus" onClick={() => setInviting(true)}>
            邀請成員
          </Button>
        )
      }
    >
      <ListState query={sent} title="讀不到寄出的邀請" card={false}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="pad ink3">沒有等待回覆的邀請。</p>
          ) : (
            <ul>
              {items.map((invite) => (
                <ListRow key={invite.id}>
                  <TwoLines className="sp">
                    <b className="el">{cover(invite.email)}</b>
                    <small className="num">
                      {ROLE_WORDS[invite.role]} · 邀請有效到 {mdHm(invite.valid_until)}
                    </small>
                  </TwoLines>
                </ListRow>
              ))}
            </ul>
          )
        }
      </ListState>
      {inviting && <InviteSheet onClose={() => setInviting(false)} />}
    </Card>
  )
}

/* 7 天內到期: whose membership runs out, and which groups somebody is about to leave. */

export function EndingCard({ counts }: { counts: Organization['counts'] }) {
  const { id, ctx } = useOrganization()
  const { go, open } = useGo()
  const [renewing, setRenewing] = useState<Member | null>(null)
  const soon = useQuery(membershipQueries.list(ctx, id, { status: 'expiring', page_size: 5 }))
  const groups = useQuery(groupQueries.every(ctx))
  const unread = groups.data ? unreadGroups(groups.data) : ''
  const leaving = groups.data?.items.filter(({ expiring_count }) => expiring_count > 0) ?? []
  // nobody is said to stay before both have answered
  const { error, isFetching, refetch, dataUpdatedAt } = soon.data ? groups : soon
  const both = { data: groups.data && soon.data, error, isFetching, refetch, dataUpdatedAt }
  return (
    <Card
      title="7 天內到期"
      action={
        (soon.data?.total ?? 0) > 5 && (
          <Button size="s" {...go(`${HERE}members&status=expiring`)}>
            看全部
          </Button>
        )
      }
    >
      <ListState
        query={both}
        title="讀不到快到期的成員"
        card={false}
        none={<Rows count={Math.max(1, counts?.expiring_7d ?? 1)} card={false} />}
      >
        {({ items }) =>
          items.length === 0 && leaving.length === 0 ? (
            <p className="pad ink3">7 天內沒有人的成員資格或群組期間到期{unread && `：${unread}`}。</p>
          ) : (
            <ul>
              {items.map((member) => (
                <ListRow key={member.user_id}>
                  <div className="sp">
                    <Person
                      name={member.name}
                      avatar={member.avatar}
                      note={
                        <span className="num">
                          成員資格{member.days_left === 0 ? '今天到期' : `剩 ${member.days_left} 天`}
                          {member.expires_on && `，到 ${ymd(member.expires_on)}`}
                        </span>
                      }
                    />
                  </div>
                  <Button size="s" kind="soft" onClick={() => setRenewing(member)}>
                    續期
                  </Button>
                </ListRow>
              ))}
              {leaving.map((group) => {
                const href = `${HERE}groups&id=${group.id}`
                return (
                  <ListRow key={group.id}>
                    <RowLink href={href} onOpen={() => open(href)}>
                      <TwoLines className="sp">
                        <b className="el">{group.name}</b>
                        <small className="num">
                          {number(group.expiring_count)} 位在這個群組的期間 7 天內到期
                        </small>
                      </TwoLines>
                    </RowLink>
                  </ListRow>
                )
              })}
              {unread && <li className="pad ink3">{unread}。</li>}
            </ul>
          )
        }
      </ListState>
      {renewing && <MemberSheet key={renewing.user_id} member={renewing} onClose={() => setRenewing(null)} />}
    </Card>
  )
}
