// The count of unread notifications as a badge: at the keys that open the person's menu, and in it.
import { useSnapshot } from 'valtio'
import { inbox } from '#screen/outbox.ts'
import { cx } from '#ui/open.ts'
import css from './Unread.module.css'

/** Nothing when all is read; `at` the corner of an icon, or of a round key. */
export function Unread({ at }: { at?: 'icon' | 'key' }) {
  const { unread } = useSnapshot(inbox)
  return unread > 0 ? (
    <em className={cx(css.root, at && css[at])}>
      {unread > 99 ? '99+' : unread}
      <span className="vh"> 則未讀通知</span>
    </em>
  ) : null
}
