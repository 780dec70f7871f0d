/* A row of a group with its days: who or what, where it stands, what can be done. */

import type { ReactNode } from 'react'
import type { Span } from '#contract/access.ts'
import type { SPAN_STATES } from '#contract/group.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import { Tag } from '#ui/Tag.tsx'
import { ListRow } from '../parts/ListRow.tsx'
import { periodStateWords } from '../parts/words.ts'

/** `name` for the labels, `children` who or what it is. */
export type SpanRowProps = {
  id: string
  name: string
  state: (typeof SPAN_STATES)[number]
  period: Span
  onEdit: () => void
  onRemove: () => void
  /** Where the log says who could see it, or what. */
  seen: { label: string; onOpen: () => void }
  children: ReactNode
}

export function SpanRow({ id, name, state, period, onEdit, onRemove, seen, children }: SpanRowProps) {
  const words = periodStateWords(state, period)
  const menu = `og-span-${id}`
  return (
    <ListRow>
      <div className="sp">{children}</div>
      <Tag tone={words.tone} icon={words.icon}>
        {words.text}
      </Tag>
      <IconButton icon="more" label={`${name}：更多`} opensId={menu} />
      <Menu
        id={menu}
        label={`${name}：更多`}
        items={[
          { label: '更改期間', icon: 'calendar', onPick: onEdit },
          { label: seen.label, icon: 'eye', onPick: seen.onOpen },
          { label: '移出群組', icon: 'minus', danger: true, apart: true, onPick: onRemove },
        ]}
      />
    </ListRow>
  )
}
