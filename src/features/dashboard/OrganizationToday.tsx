/* What somebody who manages an organization looks for first: how many are inside, whose time is running out, and whether what came in was told. */
import type { Dashboard } from '#contract/dashboard.ts'
import { useGo } from '#screen/go.ts'
import { number } from '#text/format.ts'
import { Card } from '#ui/Card.tsx'
import { KeyValues } from '#ui/Figures.tsx'

const MANAGE = '/organizations/manage'

export function OrganizationToday({ counts }: { counts: NonNullable<Dashboard['organization']> }) {
  const { go } = useGo()
  const { members, expiring_7d, delivered_today, failed_today } = counts
  const rows = [
    { label: '成員', value: `${number(members)} 位` },
    {
      key: 'expiring',
      label: '成員資格 7 天內到期',
      value:
        expiring_7d === 0 ? (
          '0 位'
        ) : (
          <a className="link" {...go(`${MANAGE}?tab=members&status=expiring`)}>
            {number(expiring_7d)} 位
          </a>
        ),
    },
    { label: '今天送出的站外通知', value: `${number(delivered_today)} 則` },
    {
      key: 'failed',
      label: '今天沒送到的站外通知',
      value: <span className={failed_today > 0 ? 'warn-ink' : undefined}>{number(failed_today)} 則</span>,
    },
  ]
  return (
    <Card
      title="組織"
      action={
        <a className="link t13" {...go(MANAGE)}>
          組織管理
        </a>
      }
      pad
    >
      <KeyValues rows={rows} />
    </Card>
  )
}
