/* One notification: what it is about, when, where it did not arrive; a press opens its page and reads it. */
import type { SignalNotification } from '#contract/notification.ts'
import { useGo } from '#screen/go.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { useProfile } from '#screen/profile.ts'
import { joined } from '#text/joined.ts'
import { channelNames } from '#text/notification.ts'
import { Icon } from '#ui/Icon.tsx'
import type { IconName } from '#ui/icons.ts'
import { cx } from '#ui/open.ts'
import { covered } from './covered.ts'
import { InboxLine } from './InboxLine.tsx'
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
    <li className={cx(css.root, fresh && css.fresh)} data-fresh={fresh || undefined}>
      <InboxLine
        sign={
          <Icon
            name={ICON[kind]}
            size={20}
            className={cx(css.icon, kind === 'alarm' ? 'warn-ink' : 'ink3')}
          />
        }
        at={created_at}
        unread={unread}
        href={link}
        onOpen={() => {
          if (unread) onRead([id])
          open(link)
        }}
        read={{ label: `標為已讀：${title}`, onRead: () => onRead([id]) }}
      >
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
          <small className={css.where}>
            {organization}
            {missed.length > 0 && (
              <span className={css.missed}>
                <Icon name="warning" size={14} />
                {joined(channelNames(missed.map(({ channel }) => channel)), '沒有送到')}
              </span>
            )}
          </small>
        )}
      </InboxLine>
    </li>
  )
}
