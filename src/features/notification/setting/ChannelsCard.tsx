/* 通道: each with its state, last success and switch; a press opens what can be done with it, where something can. */
import type { ChannelId } from '#contract/channels.ts'
import type { NotificationChannel, NotificationSetting } from '#contract/notification.ts'
import { joined } from '#text/joined.ts'
import { CHANNEL_WORDS, PRIVACY_WORDS } from '#text/notification.ts'
import { serverNow } from '#text/now.ts'
import { when } from '#text/time.ts'
import { Card } from '#ui/Card.tsx'
import { Icon } from '#ui/Icon.tsx'
import { cx } from '#ui/open.ts'
import { Switch } from '#ui/Switch.tsx'
import { Tag } from '#ui/Tag.tsx'
import css from './ChannelsCard.module.css'
import {
  CHANNEL_ABOUT,
  CHANNEL_ICON,
  CONNECT_WORDS,
  HAS_PRIVACY,
  isStopped,
  leftText,
  muteText,
  stateTag,
} from './channel.ts'
import { SwitchRow } from './SwitchRow.tsx'
import type { SettingCard } from './use-setting.ts'

export function ChannelsCard({
  setting,
  change,
  channels,
  onOpen,
}: SettingCard & { channels: readonly NotificationChannel[]; onOpen: (channel: ChannelId) => void }) {
  const switched = (one: NotificationChannel) => isConnected(one) || !setting.channels[one.channel]
  return (
    <Card title="通道" flush>
      <ul>
        {channels.map((one) => {
          const opens = one.channel !== 'in_app' && one.state !== 'none'
          return (
            <SwitchRow
              key={one.channel}
              tall
              before={<Icon name={CHANNEL_ICON[one.channel]} size={20} className="ink3" />}
              name={<Name one={one} />}
              note={<Note one={one} setting={setting} />}
              onOpen={opens ? () => onOpen(one.channel) : undefined}
              verb={!switched(one) && connectWord(one)}
              control={
                opens &&
                switched(one) && (
                  <Switch
                    hideLabel
                    label={joined('用', CHANNEL_WORDS[one.channel], '通知我')}
                    checked={setting.channels[one.channel]}
                    onChange={(on) => change({ [`channels.${one.channel}`]: on }, CHANNEL_WORDS[one.channel])}
                  />
                )
              }
            />
          )
        })}
      </ul>
    </Card>
  )
}

/** A switch that stands on beside what reaches nobody would promise what is not there: the row leads to connecting it. */
const connectWord = (one: NotificationChannel): string => {
  const { channel, state } = one
  if (state === 'pending') return '繼續'
  if (channel === 'webhook' && isStopped(one)) return '重新啟用'
  return CONNECT_WORDS[channel]
}
const isConnected = ({ state }: NotificationChannel) => state !== 'off' && state !== 'pending'

function Name({ one }: { one: NotificationChannel }) {
  const muted = muteText(one.config)
  return (
    <span className="row gap8 wrap">
      <b>{CHANNEL_WORDS[one.channel]}</b>
      <Tag {...stateTag(one)} />
      {one.state === 'bound' && one.config.left_this_month === 0 && (
        <Tag tone="warn" icon="warning">
          本月用完
        </Tag>
      )}
      {muted && (
        <Tag tone="neutral" icon="bell-off">
          {muted}
        </Tag>
      )}
    </span>
  )
}

function Note({ one, setting }: { one: NotificationChannel; setting: NotificationSetting }) {
  return (
    <small className={css.note}>
      <span className={css.parts}>
        {noteOf(one, setting.privacy[one.channel]).map((part, at) => (
          <span key={part} className={cx(css.part, at > 0 && 'nowrap')}>
            {at > 0 && <span className={css.dot}> · </span>}
            {part}
          </span>
        ))}
      </span>
    </small>
  )
}

/** Why it does not work, or who it is and when it last worked, or what it is for. */
function noteOf(one: NotificationChannel, privacy: keyof typeof PRIVACY_WORDS): string[] {
  if (one.state === 'none') return [(one.channel === 'email' && one.reason) || CHANNEL_ABOUT[one.channel]]
  if (one.reason && one.state !== 'bound') return [one.reason]
  const parts = [
    one.name ?? '',
    one.last_ok_at ? `最後成功 ${when(one.last_ok_at, serverNow())}` : '',
    // who is not connected reads what it is for
    isConnected(one) ? leftText(one.config) : '',
    one.config.strategies ? `只送 ${one.config.strategies.length} 個策略` : '',
    HAS_PRIVACY(one.channel) && one.state === 'bound' && privacy !== 'full' ? PRIVACY_WORDS[privacy] : '',
  ].filter(Boolean)
  return parts.length > 0 ? parts : [CHANNEL_ABOUT[one.channel]]
}
