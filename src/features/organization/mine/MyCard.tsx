/* One of my organizations: who I am in it, how long still, and the ways into it; outside its days, whom to ask. */
import { useSnapshot } from 'valtio'
import type { MyOrganization } from '#contract/organization.ts'
import { switchIdentity } from '#screen/switch.ts'
import { auth } from '#state/session.ts'
import { number, ymd } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import { CardKeys } from '../parts/CardKeys.tsx'
import { useEnter } from '../parts/enter.ts'
import { OrganizationCard } from '../parts/OrganizationCard.tsx'
import { OrganizationHead } from '../parts/OrganizationHead.tsx'
import { PeriodState } from '../parts/PeriodState.tsx'
import { usePeople } from '../parts/people.ts'
import { periodStateWords, ROLE_WORDS } from '../parts/words.ts'

export type MyCardProps = { one: MyOrganization; onLeave: () => void }

export function MyCard({ one, onLeave }: MyCardProps) {
  const { cover } = usePeople()
  const enter = useEnter()
  const { org_id } = useSnapshot(auth)
  const here = org_id === one.id
  const valid = one.status === 'active' || one.status === 'expiring'
  const period = { starts_on: one.starts_on, ends_on: one.expires_on }
  const state = periodStateWords(one.status, period)
  const name = cover(one.name)
  return (
    <OrganizationCard as="li">
      <OrganizationHead
        name={name}
        logo={one.logo}
        dim={!valid}
        end={valid && <MyMenu name={name} one={one} onLeave={onLeave} />}
      >
        <p className="t13 ink3 num">
          {ROLE_WORDS[one.role]}
          {/* whoever is outside is told no counts: a 0 would say that the organization is empty */}
          {valid && ` · ${number(one.member_count)} 位成員 · ${number(one.strategy_count)} 個策略`}
        </p>
      </OrganizationHead>
      <PeriodState period={period} state={state}>
        {one.expires_on && <span className="t13 ink3 num">到 {ymd(one.expires_on)}</span>}
      </PeriodState>
      {valid ? (
        <CardKeys>
          {one.role === 'admin' ? (
            <Button kind="tint" onClick={() => enter.manage(one.id)}>
              管理
            </Button>
          ) : (
            <Button kind="tint" onClick={() => enter.open(one.id, '/organizations/info')}>
              詳情
            </Button>
          )}
          {here ? (
            <Button onClick={() => switchIdentity(null)} icon="swap">
              切回個人身份
            </Button>
          ) : (
            <Button onClick={() => switchIdentity(one.id)} icon="swap">
              切換身份
            </Button>
          )}
        </CardKeys>
      ) : (
        <Outside one={one} onLeave={onLeave} />
      )}
    </OrganizationCard>
  )
}

/** What is rarer: its page for an admin, whose card leads to 管理, and leaving. */
function MyMenu({ name, one, onLeave }: MyCardProps & { name: string }) {
  const enter = useEnter()
  const menu = `og-menu-${one.id}`
  return (
    <>
      <IconButton icon="more" label={`${name}：更多`} opensId={menu} />
      <Menu
        id={menu}
        label={`${name}：更多`}
        items={[
          ...(one.role === 'admin'
            ? [
                {
                  label: '詳情',
                  icon: 'info' as const,
                  onPick: () => enter.open(one.id, '/organizations/info'),
                },
              ]
            : []),
          { label: '離開組織', icon: 'logout', danger: true, onPick: onLeave },
        ]}
      />
    </>
  )
}

/** Before its first day and after its last: what is to be seen when, and whom to write to. */
function Outside({ one, onLeave }: MyCardProps) {
  const over = one.status === 'expired'
  const subject = encodeURIComponent(over ? `「${one.name}」續期` : `「${one.name}」的成員資格`)
  return (
    <>
      <p className="t13 ink2">
        {over
          ? '成員資格已到期，看不到組織的策略與訊號。請管理者續期；續期後，這裡會再出現「詳情」。'
          : `成員資格從 ${ymd(one.starts_on)} 開始，那天起看得到組織的策略與訊號。`}
      </p>
      <CardKeys>
        {one.contact_email && (
          <Button kind="tint" icon="mail" href={`mailto:${one.contact_email}?subject=${subject}`}>
            {over ? '寫信請管理者續期' : '寫信給管理者'}
          </Button>
        )}
        <Button icon="logout" onClick={onLeave}>
          {over ? '從清單移除' : '離開組織'}
        </Button>
      </CardKeys>
    </>
  )
}
