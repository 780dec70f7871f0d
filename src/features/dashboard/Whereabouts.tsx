/* The home of somebody who owns no strategy: where the strategies are, one press away, and what is missing when there are none. */
import type { Dashboard } from '#contract/dashboard.ts'
import { useGo } from '#screen/go.ts'
import { OrganizationsCard } from '#screen/OrganizationsCard.tsx'
import { useProfile } from '#screen/profile.ts'
import { switchIdentity } from '#screen/switch.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import css from './Whereabouts.module.css'

/** True when this person has organizations and nothing of the own: first steps of an author would teach the wrong thing. */
export function useOnlyMember(board: Dashboard | undefined, org_id: string | null): boolean {
  const { profile } = useProfile()
  return org_id === null && board?.strategies.length === 0 && (profile?.organizations.length ?? 0) > 0
}

export function Whereabouts() {
  const { go } = useGo()
  return (
    <div className={css.root}>
      <OrganizationsCard title="你的策略在組織裡" onEnter={switchIdentity} />
      <Card title="自己的策略" pad>
        <p className="ink2">這裡是你的個人身份，還沒有自己的策略。要記錄自己的訊號，從建立一個策略開始。</p>
        <Button size="s" className={css.verb} {...go('/strategies/create')}>
          建立自己的策略
        </Button>
      </Card>
    </div>
  )
}

/** In an organization whose strategies this person is not shown yet: what is missing, and whose turn it is. */
export function NothingShared() {
  const { go } = useGo()
  return (
    <Card title="還沒有分享給你的策略" className={css.nothingShared} pad>
      <p className="ink2">管理者把你和策略放進同一個群組後，訊號會出現在這裡。</p>
      <a className="link" {...go('/organizations/info')}>
        看組織詳情
      </a>
    </Card>
  )
}
