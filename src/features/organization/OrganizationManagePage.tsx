// /organizations/manage: members, invitations, groups and settings, for admins; the tab stands in ?tab=.

import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { invitationQueries } from '#data/nouns/invitation.ts'
import { organizationQueries } from '#data/nouns/organization.ts'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { Stale } from '#screen/Stale.tsx'
import { CONTEXT } from '#text/spec.ts'
import { FailState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Tabs } from '#ui/Tabs.tsx'
import { AccessTab } from './manage/access/AccessTab.tsx'
import { AnnouncementsTab } from './manage/announce/AnnouncementsTab.tsx'
import { GroupsTab } from './manage/GroupsTab.tsx'
import { InvitesTab } from './manage/InvitesTab.tsx'
import { RequestsTab } from './manage/join/RequestsTab.tsx'
import { MembersTab } from './manage/MembersTab.tsx'
import { OverviewTab } from './manage/OverviewTab.tsx'
import { SettingsTab } from './manage/SettingsTab.tsx'
import { StrategiesTab } from './manage/StrategiesTab.tsx'
import { useOrganization, usePlace } from './manage/use-place.ts'
import css from './OrganizationManagePage.module.css'
import { OrganizationPage } from './OrganizationPage.tsx'

export function OrganizationManagePage() {
  const { id, ctx } = useOrganization()
  const { open } = useGo()
  const { pathname } = useLocation()
  const { search } = usePlace()
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery(organizationQueries.one(ctx, id))
  const bar = useRef<HTMLDivElement>(null)
  const loaded = data !== undefined
  // phones: the line of tabs is longer than the screen, and the one that is open must be in sight
  useEffect(() => {
    if (!loaded || search.tab === undefined) return
    const tab = bar.current?.querySelector('[aria-selected=true]')
    tab?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [loaded, search.tab])
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
  const at = (tab: string) => `${pathname}?tab=${tab}`
  const some = (count: number | undefined) => (count ? { count } : {})
  const tabs = [
    { value: 'overview', label: '總覽', href: at('overview') },
    { value: 'members', label: '成員', href: at('members'), ...some(data.counts?.members) },
    { value: 'invites', label: '邀請', href: at('invites'), ...some(waiting.data?.total) },
    { value: 'requests', label: '加入申請', href: at('requests'), ...some(data.counts?.pending_requests) },
    { value: 'groups', label: '策略群組', href: at('groups'), ...some(data.counts?.groups) },
    { value: 'strategies', label: '組織策略', href: at('strategies'), ...some(data.counts?.strategies) },
    { value: 'access', label: '誰看得到', href: at('access') },
    { value: 'announcements', label: '公告', href: at('announcements') },
    { value: 'settings', label: '設定', href: at('settings') },
  ]
  const here = tabs.find(({ value }) => value === search.tab)?.value ?? 'overview'
  return (
    <OrganizationPage>
      <PageHead title="組織管理" />
      <div ref={bar}>
        <Tabs label="組織管理" value={here} tabs={tabs} onOpen={({ href }) => open(href, true)} />
      </div>
      <div className={css.tab}>
        {error && <Stale at={dataUpdatedAt} />}
        {here === 'overview' && <OverviewTab organization={data} />}
        {here === 'members' && <MembersTab />}
        {here === 'invites' && <InvitesTab />}
        {here === 'requests' && <RequestsTab />}
        {here === 'groups' && <GroupsTab />}
        {here === 'strategies' && <StrategiesTab />}
        {here === 'access' && <AccessTab />}
        {here === 'announcements' && <AnnouncementsTab />}
        {here === 'settings' && <SettingsTab key={data.id} organization={data} />}
      </div>
    </OrganizationPage>
  )
}
