/* 總覽: how large the organization is, who is about to run out, what comes next for a new one. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Member } from '#contract/membership.ts'
import type { Organization } from '#contract/organization.ts'
import { membershipQueries } from '#data/nouns/membership.ts'
import { useGo } from '#screen/go.ts'
import { number, ymd } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { opens } from '#ui/open.ts'
import { ListState } from '../parts/ListState.tsx'
import { Person } from '../parts/Person.tsx'
import { MemberSheet } from './MemberSheet.tsx'
import { NextSteps } from './NextSteps.tsx'
import { ShareSwitch } from './ShareSwitch.tsx'
import { useOrganization } from './use-place.ts'

const HERE = '/organizations/manage?tab='
const NONE = <p className="pad ink3">7 天內沒有成員資格到期。群組裡各自的期限，在「策略群組」看得到。</p>

export function OverviewTab({ organization }: { organization: Organization }) {
  const { id, ctx } = useOrganization()
  const { open, go } = useGo()
  const [renewing, setRenewing] = useState<Member | null>(null)
  const soon = useQuery(membershipQueries.list(ctx, id, { status: 'expiring', page_size: 5 }))
  const counts = organization.counts
  const figures = counts
    ? [
        { label: '成員', value: counts.members, href: `${HERE}members` },
        { label: '管理者', value: counts.admins, href: `${HERE}members&role=admin` },
        { label: '策略', value: counts.strategies, href: `${HERE}strategies` },
        { label: '策略群組', value: counts.groups, href: `${HERE}groups` },
        { label: '7 天內到期', value: counts.expiring_7d, href: `${HERE}members&status=expiring` },
      ]
    : []
  return (
    <div className="stack">
      <div className="og-figures">
        {figures.map(({ label, value, href }) => (
          <a key={label} className="card og-figure" href={href} onClick={opens(() => open(href))}>
            <span className="t13 ink3">{label}</span>
            <b className="num">{number(value)}</b>
          </a>
        ))}
      </div>
      {counts && <NextSteps counts={counts} />}
      <div className="og-pair">
        <Card
          title="快到期的成員"
          {...(soon.data && { count: soon.data.total })}
          action={
            (soon.data?.total ?? 0) > 5 && (
              <Button size="s" {...go(`${HERE}members&status=expiring`)}>
                看全部
              </Button>
            )
          }
        >
          <ListState
            query={soon}
            title="讀不到快到期的成員"
            card={false}
            none={counts?.expiring_7d === 0 && NONE}
          >
            {({ items }) =>
              items.length === 0 ? (
                NONE
              ) : (
                <ul>
                  {items.map((member) => (
                    <li key={member.user_id} className="og-row">
                      <div className="sp">
                        <Person
                          name={member.name}
                          avatar={member.avatar}
                          note={
                            <span className="num">
                              {member.days_left === 0 ? '今天' : `剩 ${member.days_left} 天`}
                              {member.expires_on && `，到 ${ymd(member.expires_on)}`}
                            </span>
                          }
                        />
                      </div>
                      <Button size="s" kind="soft" onClick={() => setRenewing(member)}>
                        續期
                      </Button>
                    </li>
                  ))}
                </ul>
              )
            }
          </ListState>
        </Card>
        <Card title="成員看到的績效" pad>
          <ShareSwitch organization={organization} />
        </Card>
      </div>
      {renewing && <MemberSheet key={renewing.user_id} member={renewing} onClose={() => setRenewing(null)} />}
    </div>
  )
}
