/* 成員 or 管理者, and what each may do. */
import { ROLE_NAMES, type Role } from '#contract/permissions.ts'
import { Segments } from '#ui/Segments.tsx'
import { Fields } from './Fields.tsx'

export function RoleField({ role, onChange }: { role: Role; onChange: (role: Role) => void }) {
  return (
    <Fields close>
      <b className="t13 ink2">角色</b>
      <Segments
        label="角色"
        value={role}
        onChange={onChange}
        wide
        tall
        options={[
          { value: 'member', label: ROLE_NAMES.member },
          { value: 'admin', label: ROLE_NAMES.admin },
        ]}
      />
      <p className="t13 ink3">
        {role === 'admin'
          ? '看得到全部策略，也能管理成員、群組與設定。'
          : '只看得到所屬群組裡的策略，不能修改任何東西。'}
      </p>
    </Fields>
  )
}
