// /tests/permission: the current identity against every permission, by the table that guards, buttons and the server use.

import { useSnapshot } from 'valtio'
import { may, PERMISSIONS, type Permission } from '#contract/permissions.ts'
import { useGo } from '#screen/go.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { identityOf, masked, useAskedProfile, useIdentityName } from '#screen/profile.ts'
import { useWhy } from '#screen/why.ts'
import { auth } from '#state/session.ts'
import { PERMISSION_WORDS } from '#text/errors.ts'
import { IDENTITY } from '#text/spec.ts'
import { Button } from '#ui/Button.tsx'
import { Card, Fold } from '#ui/Card.tsx'
import { DenyNote } from '#ui/EmptyState.tsx'
import { KeyValues } from '#ui/Figures.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { Tag } from '#ui/Tag.tsx'
import css from './ColorTestPage.module.css'

const HERE = '/tests/permission?org='

export function PermissionTestPage() {
  const { org_id } = useSnapshot(auth)
  const { profile } = useAskedProfile()
  const name = useIdentityName()
  const privacy = usePrivacy()
  const { go } = useGo()
  const identity = identityOf(org_id, profile)
  const granted = PERMISSIONS.filter((permission) => may(identity, permission))
  const role =
    identity.type === 'personal'
      ? '個人'
      : identity.role === null
        ? '還不知道：組織尚未載入'
        : IDENTITY[identity.role]
  const cover = (text: string) => (privacy.on ? masked(text) : text)
  const others = [
    { id: 'personal', name: '個人身份' },
    ...(profile?.organizations ?? []).map(({ id, name }) => ({ id, name: cover(name) })),
  ].filter(({ id }) => id !== (org_id ?? 'personal'))
  return (
    <div className="page">
      <PageHead title="權限測試" meta="畫面、按鈕和伺服器都照這一張表；在這裡切換身份不會離開這一頁。" />
      <div className="stack">
        <Card title="現在的身份" pad>
          <KeyValues
            rows={[
              { label: '身份', value: org_id === null ? name : cover(name) },
              { label: '角色', value: role },
              { label: '情境', value: identity.type === 'personal' ? '個人' : '組織' },
              { label: '有的權限', value: `${granted.length}／${PERMISSIONS.length}` },
            ]}
          />
          {org_id !== null && (
            <p className={`mono ink3 ${css.PermissionTestPageId}`}>organizationId {org_id}</p>
          )}
          {others.length > 0 && (
            <fieldset className={css.PermissionTestPageOthers}>
              <legend className="t13 ink3">切換身份</legend>
              {others.map(({ id, name }) => (
                <Button key={id} size="s" icon="swap" long {...go(HERE + id)}>
                  {name}
                </Button>
              ))}
            </fieldset>
          )}
        </Card>
        <Card title="權限" count={PERMISSIONS.length} flush>
          <ul className={css.PermissionTestPageRights}>
            {PERMISSIONS.map((permission) => (
              <li key={permission}>
                <div className="row gap12 wrap">
                  <span className="sp">
                    <b>{PERMISSION_WORDS[permission]}</b>
                    <small className="mono">{permission}</small>
                  </span>
                  {granted.includes(permission) ? (
                    <Tag tone="good" icon="check">
                      可以
                    </Tag>
                  ) : (
                    <Tag icon="lock">不行</Tag>
                  )}
                </div>
                {!granted.includes(permission) && (
                  <Fold title={`為什麼不能${PERMISSION_WORDS[permission]}？`}>
                    <Why permission={permission} />
                  </Fold>
                )}
              </li>
            ))}
          </ul>
        </Card>
      </div>
    </div>
  )
}

function Why({ permission }: { permission: Permission }) {
  const { reason, grantors, others } = useWhy(permission)
  const { go } = useGo()
  return (
    <DenyNote
      action={
        others.length > 0 && (
          <div className={`row gap8 wrap ${css.PermissionTestPageOthers}`}>
            {others.map(({ id, name }) => (
              <Button key={id} size="s" icon="swap" long {...go(HERE + (id ?? 'personal'))}>
                改用{name}
              </Button>
            ))}
          </div>
        )
      }
    >
      {reason}
      {grantors === null && '可以開通的是組織的管理者，名單連線後會列在這裡。'}
      {grantors !== null && grantors.length > 0 && `可以開通的人：${grantors.join('、')}。`}
    </DenyNote>
  )
}
