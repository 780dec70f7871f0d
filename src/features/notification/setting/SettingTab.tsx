/* 設定: channels, what goes where, each strategy, quiet hours; every change at once, also offline. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CHANNELS } from '#contract/channels.ts'
import { channelQueries } from '#data/nouns/notification-setting.ts'
import { CoveredNote } from '#screen/CoveredNote.tsx'
import { failureSentence } from '#screen/failure.ts'
import { Stale } from '#screen/Stale.tsx'
import { joined } from '#text/joined.ts'
import { Sides } from '#ui/Card.tsx'
import { FailState } from '#ui/EmptyState.tsx'
import { Waiting } from '../Waiting.tsx'
import { ChannelSheet } from './ChannelSheet.tsx'
import { ChannelsCard } from './ChannelsCard.tsx'
import { CoveredBells } from './CoveredBells.tsx'
import { MatrixCard } from './MatrixCard.tsx'
import { MoreCard } from './MoreCard.tsx'
import { QuietCard } from './QuietCard.tsx'
import { StrategiesCard } from './StrategiesCard.tsx'
import { StrategySheet } from './StrategySheet.tsx'
import { useSetting } from './use-setting.ts'
import { useStrategies } from './use-strategies.ts'
import { pathText, valueText } from './words.ts'

export function SettingTab() {
  const { asked, setting, covered, change } = useSetting()
  const channels = useQuery(channelQueries.list())
  const listed = useStrategies()
  const { id, channel } = useSearch({ from: '/_shell/signal-notification' })
  const navigate = useNavigate()
  // what is open stands in the address: Back closes it, and a link can lead there
  const show = (what: { id?: string; channel?: string }) =>
    void navigate({
      to: '/signal-notification',
      search: { tab: 'setting', ...what },
      resetScroll: false,
      replace: Object.keys(what).length === 0,
    })
  if (!setting || !channels.data) {
    const failed = [asked, channels].filter((one) => !one.data && one.error)
    const again = () => {
      for (const { refetch } of failed) void refetch()
    }
    return failed[0] ? (
      <FailState
        card
        title="讀不到通知設定"
        busy={failed.some(({ isFetching }) => isFetching)}
        onRetry={again}
      >
        {failureSentence(failed[0].error)}
      </FailState>
    ) : (
      <Sides>
        <Waiting label="通知設定載入中" titled />
        <Waiting titled />
      </Sides>
    )
  }
  const card = { setting, change }
  return (
    <>
      {(asked.error || channels.error) && (
        <Stale at={Math.min(asked.dataUpdatedAt, channels.dataUpdatedAt)} />
      )}
      <CoveredNote
        covered={covered}
        name={({ path }) => `「${pathText(path)}」`}
        text={({ path, value }) => valueText(path, value)}
        onBack={({ path, value }, edited_at) =>
          change({ [path]: value, edited_at }, joined('還原', pathText(path)))
        }
      />
      <CoveredBells strategies={listed.all} />
      <Sides>
        <div className="stack">
          <ChannelsCard {...card} channels={channels.data} onOpen={(one) => show({ channel: one })} />
          <MatrixCard {...card} channels={channels.data} />
        </div>
        <div className="stack">
          <QuietCard {...card} />
          <MoreCard {...card} channels={channels.data} />
          <StrategiesCard listed={listed} onOpen={(one) => show({ id: one })} />
        </div>
      </Sides>
      <ChannelSheet
        {...card}
        channels={channels.data}
        open={CHANNELS.find((one) => one === channel) ?? null}
        onClose={() => show({})}
      />
      <StrategySheet id={id ?? null} strategies={listed.strategies} onClose={() => show({})} />
    </>
  )
}
