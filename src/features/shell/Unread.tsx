// The count of unread notifications as a badge: at the phone's tab that opens the person's menu, and in the menu.
import { useSnapshot } from 'valtio'
import { inbox } from '#screen/outbox.ts'
import { cx } from '#ui/open.ts'
import css from './Unread.module.css'

/** Nothing when all is read; `corner` of an icon instead of at the end of a line. */
export function Unread({ corner = false }: { corner?: boolean }) {
  const { unread } = useSnapshot(inbox)
  return unread > 0 ? (
    <em className={cx(css.root, corner && css.corner)} data-count={unread > 99 ? '99+' : unread}>
      <span className="vh">{unread} 則未讀通知</span>
    </em>
  ) : null
}
