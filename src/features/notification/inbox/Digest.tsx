/* Many signals of one strategy, one after the other, as one line that opens. */
import { useState } from 'react'
import type { SignalNotification } from '#contract/notification.ts'
import { number } from '#text/format.ts'
import { hm } from '#text/time.ts'
import { Icon } from '#ui/Icon.tsx'
import css from './Digest.module.css'
import { InboxLine } from './InboxLine.tsx'
import { NotificationRow } from './NotificationRow.tsx'

/** `items` newest first. */
export function Digest({
  items,
  onRead,
}: {
  items: readonly SignalNotification[]
  onRead: (ids: string[]) => void
}) {
  const [open, setOpen] = useState(false)
  const [newest, oldest] = [items[0], items.at(-1)]
  if (!newest || !oldest) return null
  const unread = items.filter(({ read_at }) => read_at === null).map(({ id }) => id)
  return (
    <li>
      <InboxLine
        sign={<Icon name={open ? 'chevron-up' : 'chevron-down'} size={20} className="ink3" />}
        at={newest.created_at}
        unread={unread.length > 0}
        expanded={open}
        onOpen={() => setOpen(!open)}
        read={{ label: `把這 ${unread.length} 則標為已讀`, onRead: () => onRead(unread) }}
      >
        <b>
          {newest.title}
          <span className="nowrap"> 等 {number(items.length)} 則</span>
        </b>
        <small>
          {hm(oldest.created_at)} 到 {hm(newest.created_at)}
          {unread.length > 0 && `，${number(unread.length)} 則未讀`}
        </small>
      </InboxLine>
      {open && (
        <ul className={css.inside}>
          {items.map((item) => (
            <NotificationRow key={item.id} item={item} onRead={onRead} />
          ))}
        </ul>
      )}
    </li>
  )
}
