/* One announcement in the list: unread, pinned, from whom, when. */
import type { Announcement } from '#contract/announcement.ts'
import { ago, full } from '#text/time.ts'
import { Icon } from '#ui/Icon.tsx'
import { cx, opens } from '#ui/open.ts'
import { UnreadDot } from '#ui/Tag.tsx'
import css from './AnnouncementRow.module.css'
import { Marks } from './Marks.tsx'

/** `from` who says it, as the person may see it now. */
export type AnnouncementRowProps = {
  item: Announcement
  from: string
  now: string
  href: string
  onOpen: () => void
}

export function AnnouncementRow({ item, from, now, href, onOpen }: AnnouncementRowProps) {
  const { title, tags, pinned, publish_at, read_at } = item
  const unread = read_at === null
  return (
    <li className={cx(css.root, unread && css.unread)} data-unread={unread || undefined}>
      {unread && <UnreadDot />}
      <a className={css.main} href={href} onClick={opens(onOpen)}>
        <Icon
          name={pinned ? 'pin' : 'megaphone'}
          size={20}
          className={cx(css.icon, pinned ? css.pin : 'ink3')}
        />
        <span className={css.words}>
          <b>
            {unread && <span className="vh">未讀：</span>}
            {pinned && <span className="vh">置頂：</span>}
            {title}
          </b>
          <small className={css.under}>
            <span className="el">{from}</span>
            <Marks tags={tags} />
          </small>
        </span>
        {publish_at && (
          <time className="num" dateTime={publish_at} title={full(publish_at)}>
            {ago(publish_at, now)}
          </time>
        )}
      </a>
    </li>
  )
}
