/* Many signals of one strategy, one after the other, as one line that opens. */
import { useState } from 'react'
import type { SignalNotification } from '#contract/notification-shape.ts'
import { number } from '#text/format.ts'
import { full, hm } from '#text/time.ts'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { cx } from '#ui/open.ts'
import { UnreadDot } from '#ui/UnreadDot.tsx'
import css from './Digest.module.css'
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
      <div className={css.head}>
        {unread.length > 0 && <UnreadDot />}
        <button type="button" className={css.main} aria-expanded={open} onClick={() => setOpen(!open)}>
          <Icon name={open ? 'chevron-up' : 'chevron-down'} size={20} className="ink3" />
          <span className={css.words}>
            <b className={cx(unread.length > 0 && css.unread)}>
              {newest.title}
              <span className="nowrap"> 等 {number(items.length)} 則</span>
            </b>
            <small>
              {hm(oldest.created_at)} 到 {hm(newest.created_at)}
              {unread.length > 0 && `，${number(unread.length)} 則未讀`}
            </small>
          </span>
          <time className="num" dateTime={newest.created_at} title={full(newest.created_at)}>
            {hm(newest.created_at)}
          </time>
        </button>
        <span className={css.key}>
          {unread.length > 0 && (
            <IconButton
              icon="check"
              label={`把這 ${unread.length} 則標為已讀`}
              onClick={() => onRead(unread)}
            />
          )}
        </span>
      </div>
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
