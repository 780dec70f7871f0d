/* One strategy: told or not, of which signals, over which channels, and whether it passes through quiet hours. */
import { useQuery } from '@tanstack/react-query'
import { CHANNELS, type ChannelId } from '#contract/channels.ts'
import type { Strategy } from '#contract/strategy.ts'
import { layStrategy, strategyQueries } from '#data/nouns/strategy.ts'
import { useCtx } from '#screen/data.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { useOutbox } from '#screen/outbox.ts'
import { CHANNEL_WORDS } from '#text/notification.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { FailState } from '#ui/FailState.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Sheet } from '#ui/Sheet.tsx'
import { Switch } from '#ui/Switch.tsx'
import css from './StrategySheet.module.css'
import { useNotify } from './use-notify.ts'

const ACTIONS = [
  { value: 'all', label: '全部訊號' },
  { value: 'opening', label: '只進場' },
  { value: 'closing', label: '只出場' },
] as const

/** `id` null: closed. One that no list holds is asked for by itself. */
export function StrategySheet({
  id,
  strategies,
  onClose,
}: {
  id: string | null
  strategies: readonly Strategy[]
  onClose: () => void
}) {
  const ctx = useCtx()
  const outbox = useOutbox()
  const listed = strategies.find((one) => one.id === id)
  const asked = useQuery({ ...strategyQueries.one(ctx, id ?? ''), enabled: id !== null && !listed })
  const found =
    listed ?? (asked.data && id !== null ? layStrategy(asked.data, outbox, asked.dataUpdatedAt) : undefined)
  return (
    <Sheet open={id !== null} onClose={onClose} title={found?.name ?? '策略的通知'}>
      {found ? (
        <Inside strategy={found} />
      ) : (
        asked.error && (
          <FailState title="讀不到這個策略" busy={asked.isFetching} onRetry={() => void asked.refetch()}>
            {failureSentence(asked.error)}
          </FailState>
        )
      )}
    </Sheet>
  )
}

function Inside({ strategy }: { strategy: Strategy }) {
  const change = useNotify(strategy)
  const { go } = useGo()
  const { enabled, channels, actions, important } = strategy.my_notify
  const chosen: readonly ChannelId[] = channels ?? CHANNELS
  const turn = (channel: ChannelId, on: boolean) => {
    const next = CHANNELS.filter((one) => (one === channel ? on : chosen.includes(one)))
    change({ channels: next.length === CHANNELS.length ? null : [...next] })
  }
  return (
    <div className={css.root}>
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
          <fieldset>
            <legend>走哪些通道</legend>
            {CHANNELS.map((channel) => (
              <Checkbox
                key={channel}
                className={css.channel}
                label={CHANNEL_WORDS[channel]}
                checked={chosen.includes(channel)}
                onChange={(on) => turn(channel, on)}
              />
            ))}
            <p className="t13 ink3">還沒連結、或在「通道」關掉的，這裡勾了也不會送。</p>
          </fieldset>
        </>
      )}
      <div className="row gap8 wrap">
        <Button size="s" {...go(`/strategies/${strategy.id}`)}>
          打開策略
        </Button>
        <Button size="s" {...go(`/signal-notification?tab=why&id=${strategy.id}`)}>
          為什麼沒收到通知
        </Button>
      </div>
    </div>
  )
}
