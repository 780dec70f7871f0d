/* The last cell of a member: 續期 when it is due, and the rest behind 更多. */
import type { Member } from '#contract/membership.ts'
import { useGo } from '#screen/go.ts'
import { useProfile } from '#screen/profile.ts'
import { viewAs } from '#screen/viewing.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import { usePeople } from '../parts/people.ts'
import { RowKeys } from '../parts/RowKeys.tsx'
import { usePlace } from './use-place.ts'

/** What is done with a member from its row. */
export type MemberActs = { onEdit: (member: Member) => void; onRemove: (member: Member) => void }

export function MemberMenu({ member, onEdit, onRemove }: { member: Member } & MemberActs) {
  const { cover } = usePeople()
  const { profile } = useProfile()
  const { go } = usePlace()
  const { open } = useGo()
  // an admin sees what every admin sees; whoever's days are not today sees nothing
  const sees = member.role === 'member' && (member.status === 'active' || member.status === 'expiring')
  const name = cover(member.name)
  const id = `og-member-${member.user_id}`
  const me = profile?.id === member.user_id
  const due = member.status === 'expiring' || member.status === 'expired'
  return (
    <RowKeys>
      {due && (
        <button
          type="button"
          className="link t13"
          onClick={() => onEdit(member)}
          aria-label={`續期：${name}`}
        >
          續期
        </button>
      )}
      <IconButton icon="more" label={`${name}：更多`} opensId={id} />
      <Menu
        id={id}
        label={`${name}：更多`}
        items={[
          { label: '編輯角色與期間', icon: 'edit', onPick: () => onEdit(member) },
          { label: '看得到什麼', icon: 'eye', onPick: () => go({ tab: 'access', user: member.user_id }) },
          ...(sees
            ? [{ label: '以成員身分檢視', icon: 'person' as const, onPick: () => void viewAs(member, open) }]
            : []),
          {
            label: '移除成員',
            icon: 'trash',
            danger: true,
            apart: true,
            ...(me
              ? { disabled: true, note: '自己要走，請在「設定」離開組織' }
              : { onPick: () => onRemove(member) }),
          },
        ]}
      />
    </RowKeys>
  )
}
