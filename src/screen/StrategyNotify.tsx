/* How I am told of one strategy: 響, 安靜收下 or 關; of which signals, through quiet hours or not, and over which channels, under 進階. */
import { useQuery } from '@tanstack/react-query'
import {
  CHANNELS,
  type ChannelId,
  NOTIFY_ACTIONS,
  RINGINGS,
  type Ringing,
  ringingOf,
} from '#contract/channels.ts'
import type { Strategy } from '#contract/strategy.ts'
import { channelQueries } from '#data/nouns/notification-setting.ts'
import {
  ACTION_WORDS,
  CHANNEL_WORDS,
  ownText,
  RINGING_NOTES,
  RINGING_WORDS,
  refinedText,
} from '#text/notification.ts'
import { Fold } from '#ui/Card.tsx'
import { Checkbox, Choices } from '#ui/Checkbox.tsx'
import { Switch } from '#ui/Switch.tsx'
import { CoveredBell } from './CoveredBell.tsx'
import css from './cards.module.css'
import { useNotify, useRinging } from './use-notify.ts'

const CHOICES = RINGINGS.map((value) => ({ value, label: RINGING_WORDS[value], note: RINGING_NOTES[value] }))
const ACTIONS = NOTIFY_ACTIONS.map((value) => ({
  value,
  label: ACTION_WORDS[value],
  ...(value === 'turns' && { note: '加碼、減碼不算' }),
}))

/** `strategy` has what waits laid over it. */
export function StrategyNotify({ strategy }: { strategy: Strategy }) {
  const ring = useRinging()
  const { my_notify } = strategy
  const stands = ringingOf(my_notify)
  return (
    <div className={css.StrategyNotify}>
      <CoveredBell strategy={strategy} />
      <Choices<Ringing | 'own'>
        legend="有訊號時"
        value={stands}
        onChange={(choice) => choice !== 'own' && ring(strategy, choice)}
        // what no choice says stands for itself, until another is made
        options={
          stands === 'own'
            ? [...CHOICES, { value: 'own', label: RINGING_WORDS.own, note: `${ownText(my_notify)}。` }]
            : CHOICES
        }
      />
      {stands !== 'off' && (
        <div className={css.StrategyNotifyMore}>
          <Fold title="進階" note={refinedText(my_notify)}>
            <Refined strategy={strategy} />
          </Fold>
        </div>
      )}
    </div>
  )
}

function Refined({ strategy }: { strategy: Strategy }) {
  const change = useNotify(strategy)
  const { channels, actions, important } = strategy.my_notify
  const known = useQuery(channelQueries.list())
  // those of this server; where it cannot be asked, all that could be chosen
  const offered = known.data
    ? CHANNELS.filter((id) => known.data.some(({ channel, state }) => channel === id && state !== 'none'))
    : known.isFetching
      ? null
      : CHANNELS
  const chosen: readonly ChannelId[] = channels ?? CHANNELS
  const turn = (channel: ChannelId, on: boolean) => {
    const next = CHANNELS.filter((one) => (one === channel ? on : chosen.includes(one)))
    change({ channels: next.length === CHANNELS.length ? null : [...next] })
  }
  return (
    <div className={css.StrategyNotify}>
      <Choices
        legend="哪些訊號"
        value={actions}
        onChange={(next) => change({ actions: next })}
        options={ACTIONS}
      />
      <Switch
        label="勿擾時段也響"
        note="標為重要：鎖定畫面會叫醒"
        checked={important}
        onChange={(on) => change({ important: on })}
      />
      {offered && (
        <fieldset>
          <legend>走哪些通道</legend>
          {offered.map((channel) => (
            <Checkbox
              key={channel}
              className={css.StrategyNotifyChannel}
              label={CHANNEL_WORDS[channel]}
              checked={chosen.includes(channel)}
              onChange={(on) => turn(channel, on)}
            />
          ))}
          <p className="t13 ink3">還沒連結、或在「通道」關掉的，這裡勾了也不會送。</p>
        </fieldset>
      )}
    </div>
  )
}
