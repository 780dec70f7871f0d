/* One entry of the tree, with what can be done with it. */
import type { ContactNode } from '#contract/organization.ts'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import { CONTACT_ICONS } from '#ui/nouns/ContactTree.tsx'
import { ListRow } from '../../parts/ListRow.tsx'
import { usePeople } from '../../parts/people.ts'
import { TwoLines } from '../../parts/TwoLines.tsx'

/** `id` of the menu; an action is null where it cannot be. */
export type ContactRowProps = {
  node: ContactNode
  id: string
  onChange: () => void
  onAdd: (() => void) | null
  onUp: (() => void) | null
  onDown: (() => void) | null
  onRemove: () => void
}

export function ContactRow({ node, id, onChange, onAdd, onUp, onDown, onRemove }: ContactRowProps) {
  const { cover } = usePeople()
  return (
    <ListRow as="div">
      {node.value && <Icon name={CONTACT_ICONS[node.type]} size={20} />}
      <TwoLines className="sp">
        <b className="el">{node.label}</b>
        {node.value && <small className="el num">{cover(node.value)}</small>}
      </TwoLines>
      <IconButton icon="more" label={`${node.label}：更多`} opensId={id} />
      <Menu
        id={id}
        label={`${node.label}：更多`}
        items={[
          { label: '修改', icon: 'edit', onPick: onChange },
          ...(onAdd ? [{ label: '在它下面新增', icon: 'plus' as const, onPick: onAdd }] : []),
          ...(onUp ? [{ label: '上移', icon: 'arrow-up' as const, onPick: onUp }] : []),
          ...(onDown ? [{ label: '下移', icon: 'arrow-down' as const, onPick: onDown }] : []),
          { label: '移除', icon: 'trash', danger: true, apart: true, onPick: onRemove },
        ]}
      />
    </ListRow>
  )
}
