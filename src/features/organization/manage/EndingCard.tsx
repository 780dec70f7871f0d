/* 7 天內到期: whose membership runs out, and which groups somebody is about to leave. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Member } from '#contract/membership.ts'
import type { Organization } from '#contract/organization.ts'
import { groupQueries } from '#data/nouns/group.ts'
import { membershipQueries } from '#data/nouns/organization.ts'
import { useGo } from '#screen/go.ts'
import { number, ymd } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { ListRow } from '../parts/ListRow.tsx'
import { ListState } from '../parts/ListState.tsx'
import { Person } from '../parts/Person.tsx'
import { RowLink } from '../parts/RowLink.tsx'
import { Rows } from '../parts/Rows.tsx'
import { TwoLines } from '../parts/TwoLines.tsx'
import { MemberSheet } from './MemberSheet.tsx'
import { unreadGroups } from './unread-groups.ts'
import { useOrganization } from './use-place.ts'

const HERE = '/organizations/manage?tab='

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
