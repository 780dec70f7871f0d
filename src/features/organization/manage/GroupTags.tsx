/* The groups of a member: two by name, the rest as a number; admins see everything without any. */
import type { Member } from '#contract/membership.ts'
import { Tag } from '#ui/Tag.tsx'
import css from './GroupTags.module.css'

export function GroupTags({ member }: { member: Pick<Member, 'role' | 'groups'> }) {
  const { role, groups } = member
  if (role === 'admin') return <span className="t13 ink3">全部策略</span>
  if (groups.length === 0) return <span className="t13 ink3">沒有群組</span>
  return (
    <span className={css.root} title={groups.map(({ name }) => name).join('、')}>
      {groups.slice(0, 2).map(({ id, name }) => (
        <Tag key={id}>
          <span className="el">{name}</span>
        </Tag>
      ))}
      {groups.length > 2 && <Tag tone="line">+{groups.length - 2}</Tag>}
    </span>
  )
}
