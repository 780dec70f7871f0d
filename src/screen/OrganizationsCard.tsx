/* The person's organizations, each with 切換身份: where what is not here as oneself is. */
import type { Role } from '#contract/permissions.ts'
import { NAV } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Avatar } from '#ui/Tag.tsx'
import css from './frame.module.css'
import { usePrivacy } from './privacy.ts'
import { masked, useProfile } from './profile.ts'

/** What is there, by what one is there. */
const WHAT = {
  admin: '組織的策略與訊號，由你管理',
  member: '分享給你的策略與訊號',
} satisfies Record<Role, string>

export function OrganizationsCard({ title, onEnter }: { title: string; onEnter: (id: string) => void }) {
  const { profile } = useProfile()
  const privacy = usePrivacy()
  return (
    <Card title={title} className={css.OrganizationsCard}>
      <ul>
        {(profile?.organizations ?? []).map(({ id, name, logo, role }) => {
          const shown = privacy.on ? masked(name) : name
          return (
            <li key={id}>
              <Avatar name={shown} src={privacy.on ? null : logo} size={40} />
              <span className="sp">
                <b>{shown}</b>
                <small>{WHAT[role]}</small>
              </span>
              <Button
                size="s"
                kind="tint"
                icon="swap"
                label={`${NAV.switch_identity}：${shown}`}
                onClick={() => onEnter(id)}
              >
                {NAV.switch_identity}
              </Button>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
