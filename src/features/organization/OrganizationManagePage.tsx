// /organizations/manage, for admins: four tabs, the places of two of them below, settings behind a gear. ?tab= names the place.

import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { invitationQueries, organizationQueries } from '#data/nouns/organization.ts'
import { Stale } from '#screen/Connection.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { CONTEXT } from '#text/spec.ts'
import { FailState } from '#ui/EmptyState.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { Tabs } from '#ui/Segments.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { AccessTab } from './AccessTab.tsx'
import { AnnouncementsTab } from './AnnouncementsTab.tsx'
import { GroupsTab } from './GroupsTab.tsx'
import { InvitesTab } from './InvitesTab.tsx'
import { MembersTab } from './MembersTab.tsx'
import css from './OrganizationManagePage.module.css'
import { OverviewTab } from './OverviewTab.tsx'
import { OrganizationPage } from './Parts.tsx'
import { RequestsTab } from './RequestsTab.tsx'
import { SettingsTab } from './SettingsTab.tsx'
import { StrategiesTab } from './StrategiesTab.tsx'
import { useOrganization, usePlace } from './TabList.tsx'

export function OrganizationManagePage() {
  const { id, ctx } = useOrganization()
  const { open } = useGo()
  const { pathname } = useLocation()
  const { search } = usePlace()
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery(organizationQueries.one(ctx, id))
  const waiting = useQuery(invitationQueries.sent(ctx, id, { status: 'pending', page_size: 1 }))

  if (!data)
    return (
      <OrganizationPage>
        {error ? (
          <>
            <PageHead title="組織管理" />
            <FailState card title={CONTEXT.data_failed} busy={isFetching} onRetry={() => void refetch()}>
              {failureSentence(error)}
            </FailState>
          </>
        ) : (
          <Skeleton type="list" label="組織載入中" title="組織管理" />
        )}
      </OrganizationPage>
    )
  const at = (place: string) => `${pathname}?tab=${place}`
  const of = (value: string, label: string, count?: number) => ({
    value,
    label,
    href: at(value),
    ...(count && { count }),
  })
  const { counts } = data
  // people and how they come in are one tab; strategies, their groups and who sees them another
  const people = [
    of('members', '名單', counts?.members),
    of('invites', '邀請', waiting.data?.total),
    of('requests', '加入申請', counts?.pending_requests),
  ]
  const shared = [
    of('strategies', '組織策略', counts?.strategies),
    of('groups', '策略群組', counts?.groups),
    of('access', '誰看得到'),
  ]
  const tabs = [
    of('overview', '總覽'),
    of('members', '成員', counts?.pending_requests),
    of('strategies', '策略'),
    of('announcements', '公告'),
  ]
  const places = [...tabs, ...people, ...shared, of('settings', '設定')]
  const here = places.find(({ value }) => value === search.tab)?.value ?? 'overview'
  const below = [people, shared].find((some) => some.some(({ value }) => value === here))
  if (here === 'settings')
    return (
      <OrganizationPage>
        <PageHead
          title="組織設定"
          back={{ href: pathname, label: '組織管理', onOpen: () => open(pathname) }}
        />
        <div className={css.tab}>
          {error && <Stale at={dataUpdatedAt} />}
          <SettingsTab key={data.id} organization={data} />
        </div>
      </OrganizationPage>
    )
  return (
    <OrganizationPage>
      <PageHead title="組織管理">
        <IconButton icon="settings" label="組織設定" onClick={() => open(at('settings'))} />
      </PageHead>
      <Tabs
        label="組織管理"
        value={below?.[0]?.value ?? here}
        tabs={tabs}
        onOpen={({ href }) => open(href, true)}
      />
      <div className={css.tab}>
        {below && (
          <Tabs
            sub
            className={css.places}
            label={below === people ? '成員與邀請' : '策略與群組'}
            value={here}
            tabs={below}
            onOpen={({ href }) => open(href, true)}
          />
        )}
        {error && <Stale at={dataUpdatedAt} />}
        {here === 'overview' && <OverviewTab organization={data} />}
        {here === 'members' && <MembersTab />}
        {here === 'invites' && <InvitesTab organization={data} />}
        {here === 'requests' && <RequestsTab />}
        {here === 'groups' && <GroupsTab />}
        {here === 'strategies' && <StrategiesTab />}
        {here === 'access' && <AccessTab />}
        {here === 'announcements' && <AnnouncementsTab />}
      </div>
    </OrganizationPage>
  )
}
