/* One of my organizations: who I am in it, how long still, and the ways into it; outside its days, whom to ask. */
import { useSnapshot } from 'valtio'
import type { MyOrganization } from '#contract/organization.ts'
import { switchIdentity } from '#screen/switch.ts'
import { auth } from '#state/session.ts'
import { number, ymd } from '#text/format.ts'
import { Avatar } from '#ui/Avatar.tsx'
import { Button } from '#ui/Button.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import { cx } from '#ui/open.ts'
import { Tag } from '#ui/Tag.tsx'
import css from '../OrganizationPage.module.css'
import { useEnter } from '../parts/enter.ts'
import { PeriodLine } from '../parts/PeriodLine.tsx'
import { usePeople } from '../parts/people.ts'
import { ROLE_WORDS, stateWords } from '../parts/words.ts'

export type MyCardProps = { one: MyOrganization; onLeave: () => void }

export function MyCard({ one, onLeave }: MyCardProps) {
  const { cover, face } = usePeople()
  const enter = useEnter()
  const { org_id } = useSnapshot(auth)
  const here = org_id === one.id
  const valid = one.status === 'active' || one.status === 'expiring'
  const period = { starts_on: one.starts_on, ends_on: one.expires_on }
  const state = stateWords(one.status, period)
  const name = cover(one.name)
  const menu = `og-menu-${one.id}`
  return (
    <li className={cx(css.card, 'card')}>
      <div className={css.head}>
        <Avatar name={name} src={face(one.logo)} size={44} dim={!valid} />
        <div className="sp">
          <h2>{name}</h2>
          <p className="t13 ink3 num">
            {ROLE_WORDS[one.role]}
            {/* whoever is outside is told no counts: a 0 would say that the organization is empty */}
            {valid && ` · ${number(one.member_count)} 位成員 · ${number(one.strategy_count)} 個策略`}
          </p>
        </div>
        {valid && (
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
        )}
      </div>
      <div className={css.period}>
        <PeriodLine period={period} wide />
        <span className="row gap8">
          {one.expires_on && <span className="t13 ink3 num">到 {ymd(one.expires_on)}</span>}
          <Tag tone={state.tone} icon={state.icon}>
            {state.text}
          </Tag>
        </span>
      </div>
      {valid ? (
        <div className={css.keys}>
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
        </div>
      ) : (
        <Outside one={one} onLeave={onLeave} />
      )}
    </li>
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
      <div className={css.keys}>
        {one.contact_email && (
          <Button kind="tint" icon="mail" href={`mailto:${one.contact_email}?subject=${subject}`}>
            {over ? '寫信請管理者續期' : '寫信給管理者'}
          </Button>
        )}
        <Button icon="logout" onClick={onLeave}>
          {over ? '從清單移除' : '離開組織'}
        </Button>
      </div>
    </>
  )
}
