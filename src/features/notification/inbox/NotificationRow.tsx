/* One notification: what it is about, when, where it did not arrive; a press opens its page and reads it. */
import type { SignalNotification } from '#contract/notification-shape.ts'
import { useGo } from '#screen/go.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { useProfile } from '#screen/profile.ts'
import { joined } from '#text/joined.ts'
import { channelNames } from '#text/notification.ts'
import { full, hm } from '#text/time.ts'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import type { IconName } from '#ui/icons.ts'
import { cx, opens } from '#ui/open.ts'
import { UnreadDot } from '#ui/UnreadDot.tsx'
import { covered } from './covered.ts'
import css from './NotificationRow.module.css'

const ICON: Record<SignalNotification['kind'], IconName> = {
  signal: 'strategy',
  announcement: 'megaphone',
  organization: 'people',
  alarm: 'warning',
}

/** `fresh` it has just come. */
export function NotificationRow({
  item,
  fresh = false,
  onRead,
}: {
  item: SignalNotification
  fresh?: boolean
  onRead: (ids: string[]) => void
}) {
  const { open } = useGo()
  const { on: masked } = usePrivacy()
  const { profile } = useProfile()
  const { id, kind, title, body, link, created_at, read_at, organization_id } = item
  const unread = read_at === null
  const organization = profile?.organizations.find((one) => one.id === organization_id)?.name
  const missed = item.channels.filter(({ state }) => state === 'dead')
  return (
    <li className={cx(css.root, unread && css.unread, fresh && css.fresh)} data-fresh={fresh || undefined}>
      {unread && <UnreadDot />}
      <a
        className={css.main}
        href={link}
        onClick={opens(() => {
          if (unread) onRead([id])
          open(link)
        })}
      >
        <Icon name={ICON[kind]} size={20} className={cx(css.icon, kind === 'alarm' ? 'warn-ink' : 'ink3')} />
        <span className={css.words}>
          <b>
            {unread && <span className="vh">未讀：</span>}
            {title}
          </b>
          {body && (
            <span className={css.body}>
              {(masked ? covered(body) : body).split('\n').map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text, which does not change
                <span key={at}>{line}</span>
              ))}
            </span>
          )}
          {(organization || missed.length > 0) && (
            <small>
              {organization}
              {missed.length > 0 && (
                <span className={css.missed}>
                  <Icon name="warning" size={14} />
                  {joined(channelNames(missed.map(({ channel }) => channel)), '沒有送到')}
                </span>
              )}
            </small>
          )}
        </span>
        <time className="num" dateTime={created_at} title={full(created_at)}>
          {hm(created_at)}
        </time>
      </a>
      <span className={css.key}>
        {unread && <IconButton icon="check" label={`標為已讀：${title}`} onClick={() => onRead([id])} />}
      </span>
    </li>
  )
}
