// /organizations/info: the organization as its members see it: what it is, who runs it, what I can see and until when.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { getData } from '#data/current.ts'
import { membershipQueries, organizationQueries } from '#data/nouns/organization.ts'
import { Stale } from '#screen/Connection.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { useMay } from '#screen/profile.ts'
import { auth } from '#state/session.ts'
import { CONTEXT } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { Card, Sides } from '#ui/Card.tsx'
import { DenyNote, FailState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { AboutCard } from './info/AboutCard.tsx'
import { MyGroups } from './info/MyGroups.tsx'
import { MyStrategies } from './info/MyStrategies.tsx'
import { OnesOwn } from './info/OnesOwn.tsx'
import { useInfoWaits } from './info/use-waits.ts'
import { useOrganization } from './manage/use-place.ts'
import { OrganizationPage } from './OrganizationPage.tsx'
import { LeaveOrganization } from './parts/LeaveOrganization.tsx'
import { ListRow } from './parts/ListRow.tsx'
import { ListState } from './parts/ListState.tsx'
import { Person } from './parts/Person.tsx'
import { usePeople } from './parts/people.ts'

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
