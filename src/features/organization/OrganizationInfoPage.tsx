// /organizations/info: the organization as its members see it: what it is, who runs it, what I can see and until when.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import type { StrategyGroup } from '#contract/group.ts'
import type { Organization } from '#contract/organization.ts'
import type { Strategy } from '#contract/strategy.ts'
import type { Ctx } from '#data/context.ts'
import { getData } from '#data/current.ts'
import { groupQueries, membershipQueries, organizationQueries } from '#data/nouns/organization.ts'
import { strategyQueries } from '#data/nouns/strategy.ts'
import { Stale } from '#screen/Connection.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { OrganizationsCard } from '#screen/OrganizationsCard.tsx'
import { useMay, useProfile } from '#screen/profile.ts'
import { auth } from '#state/session.ts'
import { number, ymd } from '#text/format.ts'
import { CONTEXT } from '#text/spec.ts'
import { strategyLine } from '#text/strategy.ts'
import { Button } from '#ui/Button.tsx'
import { Card, Pager, Sides } from '#ui/Card.tsx'
import { DenyNote, EmptyState, FailState } from '#ui/EmptyState.tsx'
import { ContactTree } from '#ui/nouns/ContactTree.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Tag } from '#ui/Tag.tsx'
import { LeaveOrganization } from './Leave.tsx'
import {
  Introduction,
  ListRow,
  ListState,
  OrganizationCard,
  OrganizationHead,
  OrganizationPage,
  PeriodState,
  Person,
  RowLink,
  RowsFoot,
  TwoLines,
  usePeople,
} from './Parts.tsx'
import { useOrganization } from './TabList.tsx'
import { periodStateWords, periodText, placePeriod, ROLE_WORDS } from './words.ts'

export function OrganizationInfoPage() {
  const { org_id } = useSnapshot(auth)
  return org_id === null ? <OnesOwn /> : <Inside />
}

function Inside() {
  const { id, ctx } = useOrganization()
  const { cover } = usePeople()
  const may_manage = useMay('organization:manage')
  const { go } = useGo()
  const [leaving, setLeaving] = useState(false)
  const one = useQuery(organizationQueries.one(ctx, id))
  const admins = useQuery(membershipQueries.admins(ctx, id))
  const waiting = useInfoWaits(ctx, id)
  const { data } = one
  if (!data || waiting)
    return (
      <OrganizationPage>
        {one.error && !data ? (
          <>
            <PageHead title="組織詳情" />
            <FailState
              card
              title={CONTEXT.data_failed}
              busy={one.isFetching}
              onRetry={() => void one.refetch()}
            >
              {failureSentence(one.error)}
            </FailState>
          </>
        ) : (
          <Skeleton type="detail" label="組織載入中" title="組織詳情" />
        )}
      </OrganizationPage>
    )
  return (
    <OrganizationPage>
      <PageHead title="組織詳情">
        <Button size="s" icon="megaphone" {...go(`/organizations/${id}/announcements`)}>
          公告
        </Button>
        {!getData().viewed && (
          <Button size="s" icon="logout" onClick={() => setLeaving(true)}>
            離開組織
          </Button>
        )}
      </PageHead>
      {one.error && <Stale at={one.dataUpdatedAt} />}
      <Sides columns="minmax(0, 1fr) 400px">
        <div className="stack">
          <AboutCard organization={data} />
          <MyStrategies is_admin={data.my_role === 'admin'} />
        </div>
        <div className="stack">
          <MyGroups is_admin={data.my_role === 'admin'} />
          <Card title="管理者" {...(admins.data && { count: admins.data.length })}>
            <ListState query={admins} title="讀不到管理者" card={false}>
              {(people) => (
                <ul>
                  {people.map((person) => (
                    <ListRow key={person.email}>
                      <div className="sp">
                        <Person
                          name={person.name}
                          avatar={person.avatar}
                          note={<a href={`mailto:${person.email}`}>{cover(person.email)}</a>}
                        />
                      </div>
                    </ListRow>
                  ))}
                </ul>
              )}
            </ListState>
          </Card>
          {!may_manage && (
            <DenyNote title="為什麼不能新增或修改？">
              成員看得到分享給你的策略與訊號。新增或編輯策略、邀請成員、調整期限，要由上面的管理者來做。
            </DenyNote>
          )}
        </div>
      </Sides>
      {leaving && (
        <LeaveOrganization id={data.id} name={cover(data.name)} onClose={() => setLeaving(false)} />
      )}
    </OrganizationPage>
  )
}

/* The organization in its own words, how to reach it, and how long I belong to it. */

export function AboutCard({ organization }: { organization: Organization }) {
  const { cover } = usePeople()
  const all = useQuery(organizationQueries.mine())
  const mine = all.data?.find(({ id }) => id === organization.id)
  const name = cover(organization.name)
  const period = mine && { starts_on: mine.starts_on, ends_on: mine.expires_on }
  const state = mine && period && periodStateWords(mine.status, period)
  return (
    <OrganizationCard label="組織">
      <OrganizationHead name={name} logo={organization.logo} large>
        <p className="t13 ink3">{ROLE_WORDS[organization.my_role]}</p>
      </OrganizationHead>
      {organization.introduction ? (
        <Introduction text={organization.introduction} />
      ) : (
        <p className="ink3">還沒有簡介。</p>
      )}
      {organization.contact_email && (
        <p className="t13">
          <span className="ink3">聯絡信箱　</span>
          <a className="link" href={`mailto:${organization.contact_email}`}>
            {cover(organization.contact_email)}
          </a>
        </p>
      )}
      {organization.contact_links.length > 0 && (
        <ContactTree nodes={organization.contact_links} cover={cover} />
      )}
      {period && state && (
        <PeriodState period={period} state={state}>
          <span className="t13 ink3 num">
            {ymd(period.starts_on)} 加入{period.ends_on && `，到 ${ymd(period.ends_on)}`}
          </span>
        </PeriodState>
      )}
      {!all.data && all.error && (
        <div className="row gap8" role="alert">
          <p className="sp t13 ink3">讀不到你的期間：{failureSentence(all.error)}</p>
          <Button size="s" busy={all.isFetching} onClick={() => void all.refetch()}>
            重試
          </Button>
        </div>
      )}
    </OrganizationCard>
  )
}

/* The groups I am in, each with my days in it. */

export function MyGroups({ is_admin }: { is_admin: boolean }) {
  const { ctx } = useOrganization()
  const list = useQuery(groupQueries.every(ctx))
  return (
    <Card title={is_admin ? '策略群組' : '我的群組'} {...(list.data && { count: list.data.total })}>
      <ListState query={list} title="讀不到群組" card={false}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title={is_admin ? '還沒有策略群組' : '還沒有加入群組'}>
              {is_admin ? '在組織管理建立群組，成員才看得到策略。' : '請管理者把你加入群組，就看得到策略。'}
            </EmptyState>
          ) : (
            <ul>
              {items.map((group) => (
                <Row key={group.id} group={group} own={!is_admin} />
              ))}
            </ul>
          )
        }
      </ListState>
    </Card>
  )
}

/** `own` whoever looks is a member: its own days are what the line is about. */
function Row({ group, own }: { group: StrategyGroup; own: boolean }) {
  const { ctx } = useOrganization()
  const { profile } = useProfile()
  // a member is told only of itself; among others' rows an admin's own may stand on another page, or nowhere
  const rows = useQuery(groupQueries.members(ctx, group.id, { page_size: 100 }))
  const me = rows.data?.items.find(({ user_id }) => user_id === profile?.id)
  const wait = own && !me && (rows.error ? '讀不到你的期間' : rows.isPending ? '期間載入中' : null)
  const period = me && placePeriod(me)
  const state = me && period && periodStateWords(me.state, period)
  return (
    <ListRow>
      <TwoLines className="sp">
        <b className="el">{group.name}</b>
        <small className="num" key={me ? 'mine' : 'group'}>
          {wait || (period ? periodText(period) : `${number(group.strategy_count)} 個策略`)}
          {group.description && ` · ${group.description}`}
        </small>
      </TwoLines>
      {state && (
        <Tag tone={state.tone} icon={state.icon}>
          {state.text}
        </Tag>
      )}
    </ListRow>
  )
}

/* The strategies I can see here, since when and until when. */

/** As many are asked for at a time. */
export const STRATEGIES_PER_PAGE = 20

/** 自 2026/06/01，到 2026/12/31; an admin sees all of it always. */
function seen({ access }: Strategy): string | null {
  if (!access) return null
  const until = access.valid_until === null ? '沒有期限' : `到 ${ymd(access.valid_until)}`
  return `看得到 ${ymd(access.visible_from)} 起的訊號，${until}`
}

export function MyStrategies({ is_admin }: { is_admin: boolean }) {
  const { ctx } = useOrganization()
  const { open } = useGo()
  const [page, setPage] = useState(1)
  const list = useQuery(strategyQueries.list(ctx, { page, page_size: STRATEGIES_PER_PAGE }))
  return (
    <Card title={is_admin ? '組織的策略' : '我看得到的策略'} {...(list.data && { count: list.data.total })}>
      <ListState query={list} title="讀不到策略" card={false}>
        {({ items, total }) =>
          items.length === 0 ? (
            <EmptyState title={is_admin ? '組織還沒有策略' : '目前沒有看得到的策略'}>
              {is_admin ? '用「新增策略」建立第一個。' : '管理者把你和策略放進同一個群組後，就會出現在這裡。'}
            </EmptyState>
          ) : (
            <>
              <ul>
                {items.map((strategy) => {
                  const href = `/strategies/${strategy.id}`
                  return (
                    <ListRow key={strategy.id}>
                      <RowLink href={href} onOpen={() => open(href)}>
                        <TwoLines className="sp">
                          <b className="el">{strategy.name}</b>
                          <small className="num">{seen(strategy) ?? strategyLine(strategy)}</small>
                        </TwoLines>
                      </RowLink>
                    </ListRow>
                  )
                })}
              </ul>
              <RowsFoot>
                <Pager
                  page={page}
                  pageSize={STRATEGIES_PER_PAGE}
                  total={total}
                  counter="個"
                  onPage={setPage}
                />
              </RowsFoot>
            </>
          )
        }
      </ListState>
    </Card>
  )
}

/* /organizations/info as oneself: no organization is meant, so that there is nothing to read, only where the person belongs. */

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

// The parts of /organizations/info come together: a card that grew after the others would push them down.

/** True while a part is asked for the first time; a part that has failed once is not waited for. */
export function useInfoWaits(ctx: Ctx, id: string): boolean {
  const parts = [
    useQuery(organizationQueries.mine()),
    useQuery(groupQueries.every(ctx)),
    useQuery(strategyQueries.list(ctx, { page: 1, page_size: STRATEGIES_PER_PAGE })),
    useQuery(membershipQueries.admins(ctx, id)),
  ]
  return parts.some(
    ({ isLoading, failureCount, errorUpdateCount }) =>
      isLoading && failureCount === 0 && errorUpdateCount === 0,
  )
}
