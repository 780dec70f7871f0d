/* How I am told of one strategy: told or not, of which signals, over which channels, and whether it passes through quiet hours. */
import { useQuery } from '@tanstack/react-query'
import { CHANNELS, type ChannelId } from '#contract/channels.ts'
import type { Strategy } from '#contract/strategy.ts'
import { channelQueries } from '#data/nouns/notification-setting.ts'
import { ACTION_WORDS, CHANNEL_WORDS } from '#text/notification.ts'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Switch } from '#ui/Switch.tsx'
import { CoveredBell } from './CoveredBell.tsx'
import css from './StrategyNotify.module.css'
import { useNotify } from './use-notify.ts'

const ACTIONS = (['all', 'opening', 'closing'] as const).map((value) => ({
  value,
  label: ACTION_WORDS[value],
}))

/** `strategy` has what waits laid over it. */
export function StrategyNotify({ strategy }: { strategy: Strategy }) {
  const change = useNotify(strategy)
  const { enabled, channels, actions, important } = strategy.my_notify
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
    <div className={css.root}>
      <CoveredBell strategy={strategy} />
      <Switch label="通知我這個策略的訊號" checked={enabled} onChange={(on) => change({ enabled: on })} />
      {enabled && (
        <>
          <div>
            <h3>哪些訊號</h3>
            <Segments
              label="哪些訊號"
              value={actions}
              onChange={(next) => change({ actions: next })}
              options={ACTIONS}
              tall
              wide
            />
          </div>
          <Switch
            label="重要"
            note="勿擾時段也通知，鎖定畫面會叫醒"
            checked={important}
            onChange={(on) => change({ important: on })}
          />
          {offered && (
            <fieldset>
              <legend>走哪些通道</legend>
              {offered.map((channel) => (
                <Checkbox
                  key={channel}
                  className={css.channel}
                  label={CHANNEL_WORDS[channel]}
                  checked={chosen.includes(channel)}
                  onChange={(on) => turn(channel, on)}
                />
              ))}
              <p className="t13 ink3">
                好幾個時照「依序通知」一次響一個。還沒連結、或在「通道」關掉的，這裡勾了也不會送。
              </p>
            </fieldset>
          )}
        </>
      )}
    </div>
  )
}
