/* One channel: how it stands, connecting or leaving it, trying it, and how much of a notification is said there. */
import { type ChannelId, type ChannelState, isAddressed, PRIVACY_LEVELS } from '#contract/channels.ts'
import type { NotificationChannel } from '#contract/notification.ts'
import { useGo } from '#screen/go.ts'
import { number } from '#text/format.ts'
import { joined } from '#text/joined.ts'
import { CHANNEL_WORDS, PRIVACY_WORDS } from '#text/notification.ts'
import { serverNow } from '#text/now.ts'
import { when } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Choices } from '#ui/Checkbox.tsx'
import { KeyValues } from '#ui/Figures.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { Tag } from '#ui/Tag.tsx'
import { Address } from './Address.tsx'
import { Binding } from './Binding.tsx'
import { CHANNEL_ABOUT, HAS_PRIVACY, stateTag, usedUpText } from './channel.ts'
import { Doubted } from './Doubted.tsx'
import { LastFault } from './LastFault.tsx'
import { Muted } from './Muted.tsx'
import { PushParts } from './PushParts.tsx'
import { SelfTest } from './SelfTest.tsx'
import type { SettingCard } from './use-setting.ts'
import { Which } from './Which.tsx'
import { pathText } from './words.ts'

const PRIVACY_NOTE = {
  full: '商品、價格、口數、部位與損益',
  symbol_only: '只說哪個商品有訊號',
  new_only: '只說有新訊號，內容打開凌波看',
} as const

/** Where there is somebody to send to: what did not work last time is tried again by it. */
const TRIABLE: readonly ChannelState[] = ['bound', 'blocked', 'failing']

/** `open` null: closed. */
export function ChannelSheet({
  open,
  onClose,
  channels,
  ...card
}: SettingCard & { open: ChannelId | null; onClose: () => void; channels: readonly NotificationChannel[] }) {
  const one = channels.find(({ channel }) => channel === open)
  return (
    <Sheet
      open={one !== undefined}
      onClose={onClose}
      title={one ? CHANNEL_WORDS[one.channel] : ''}
      subtitle={one && CHANNEL_ABOUT[one.channel]}
    >
      {one && <Inside key={one.channel} one={one} {...card} />}
    </Sheet>
  )
}

function Inside({ one, setting, change }: SettingCard & { one: NotificationChannel }) {
  const { channel, state, name, last_ok_at, config } = one
  const left = config.left_this_month
  // what is connected is tried, and left last of all
  const leaves = state === 'bound' && (channel === 'telegram' || channel === 'line')
  return (
    <div className="col gap20">
      <KeyValues
        rows={[
          {
            key: 'state',
            label: '狀態',
            value: <Tag {...stateTag(one)} />,
          },
          ...(name ? [{ label: '連到', value: name }] : []),
          ...(state === 'none' || (!last_ok_at && !TRIABLE.includes(state))
            ? []
            : [{ label: '最後成功', value: last_ok_at ? when(last_ok_at, serverNow()) : '還沒有' }]),
          ...(typeof left === 'number' && state !== 'none'
            ? [{ label: '本月還可送', value: left > 0 ? `${number(left)} 則` : usedUpText(config) }]
            : []),
        ]}
      />
      <LastFault one={one} />
      {state === 'none' && <p>{joined('要用', CHANNEL_WORDS[channel])}，請這台伺服器的管理者設定。</p>}
      <Muted config={config} />
      <Doubted config={config} />
      {state !== 'none' && !leaves && <Connect one={one} />}
      {TRIABLE.includes(state) && <SelfTest channel={channel} />}
      {HAS_PRIVACY(channel) && state !== 'none' && (
        <Choices
          legend="這個通道顯示多少內容"
          value={setting.privacy[channel]}
          onChange={(level) => change({ [`privacy.${channel}`]: level }, pathText(`privacy.${channel}`))}
          options={PRIVACY_LEVELS.map((value) => ({
            value,
            label: PRIVACY_WORDS[value],
            note: PRIVACY_NOTE[value],
          }))}
        />
      )}
      {leaves && <Connect one={one} />}
      {/* the last: its list may come later and moves nothing */}
      {isAddressed(channel) && state !== 'none' && state !== 'off' && (
        <Which channel={channel} stored={config.strategies ?? null} />
      )}
    </div>
  )
}

function Connect({ one }: { one: NotificationChannel }) {
  const { go } = useGo()
  const { channel } = one
  if (channel === 'telegram' || channel === 'line') return <Binding channel={channel} one={one} />
  if (isAddressed(channel)) return <Address channel={channel} one={one} />
  if (channel === 'push') return <PushParts />
  if (channel === 'email' && one.state !== 'bound')
    return (
      <div>
        <Button kind="filled" icon="mail" {...go('/profile')}>
          前往驗證電子郵件
        </Button>
      </div>
    )
  return null
}
