/* 總覽: how large the organization is, what runs out and what waits, what comes next for a new one. */
import type { Organization } from '#contract/organization.ts'
import { useGo } from '#screen/go.ts'
import { number } from '#text/format.ts'
import { Sides } from '#ui/Card.tsx'
import { cx, opens } from '#ui/open.ts'
import { EndingCard } from './EndingCard.tsx'
import { NextSteps } from './NextSteps.tsx'
import css from './OverviewTab.module.css'
import { WaitingCard } from './WaitingCard.tsx'

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
      <div className={css.figures}>
        {figures.map(({ label, value, href }) => (
          <a key={label} className={cx(css.figure, 'card')} href={href} onClick={opens(() => open(href))}>
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
