// The count of unread notifications as a badge: at the keys that open the person's menu, and in it.
import { useSnapshot } from 'valtio'
import { inbox } from '#screen/outbox.ts'
import { cx } from '#ui/open.ts'
import css from './Unread.module.css'

/** Nothing when all is read; `at` the corner of an icon, or of a round key. */
export function Unread({ at }: { at?: 'icon' | 'key' }) {
  const { unread } = useSnapshot(inbox)
  return unread > 0 ? (
    // The key says the number in its own label: what is drawn is no text that the label would have to repeat.
    <em className={cx(css.root, at && css[at])} data-count={unread > 99 ? '99+' : unread}>
      {at !== 'key' && <span className="vh">{unread} 則未讀通知</span>}
    </em>
  ) : null
}
