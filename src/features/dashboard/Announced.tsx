/* 最新公告: three of them, unread ones marked. */

import type { AnnouncementHead } from '#contract/announcement.ts'
import { getData } from '#data/current.ts'
import { layRead } from '#data/nouns/board.ts'
import { useGo } from '#screen/go.ts'
import { useOutbox } from '#screen/outbox.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { masked } from '#screen/profile.ts'
import { ago } from '#text/time.ts'
import { Card, CardRows } from '#ui/Card.tsx'
import { Icon } from '#ui/Icon.tsx'
import { cx, opens } from '#ui/open.ts'
import { UnreadDot } from '#ui/Tag.tsx'
import css from './Announced.module.css'

/** `at` when the answer came (ms): what was read since then is read here, too. */
export type AnnouncedProps = { heads: readonly AnnouncementHead[]; at: number; now: string }

export function Announced({ heads, at, now }: AnnouncedProps) {
  const { open } = useGo()
  const privacy = usePrivacy()
  // the platform speaks to the person, not to the member of an organization
  const told = getData().viewed ? heads.filter(({ organization }) => organization) : heads
  const items = layRead(told, useOutbox(), at)
  return (
    <Card
      title="最新公告"
      action={
        <a className="link t13" href="/my-announcements" onClick={opens(() => open('/my-announcements'))}>
          全部公告
        </a>
      }
    >
      <CardRows links className={css.root}>
        {items.map(({ id, title, organization, pinned, publish_at, read_at }) => {
          const href = `/my-announcements?id=${id}${organization ? `&of=${organization.id}` : ''}`
          const name = organization?.name ?? '平台'
          return (
            <li key={id} className={cx(read_at === null && css.unread)}>
              {read_at === null && <UnreadDot />}
              <a href={href} onClick={opens(() => open(href))}>
                <Icon name={pinned ? 'pin' : 'megaphone'} size={20} className="ink3" />
                <span className="sp">
                  <b className="el">
                    {read_at === null && <span className="vh">未讀：</span>}
                    {title}
                  </b>
                  <small className="el num">
                    {organization && privacy.on ? masked(name) : name}
                    {publish_at && ` · ${ago(publish_at, now)}`}
                  </small>
                </span>
                <Icon name="chevron-right" size={16} className="ink3" />
              </a>
            </li>
          )
        })}
      </CardRows>
    </Card>
  )
}
