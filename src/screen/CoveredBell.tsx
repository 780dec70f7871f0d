/* What another device's later edit covered of how I am told of one strategy, each with 「還原」. */
import type { ChannelId } from '#contract/channels.ts'
import type { Strategy } from '#contract/strategy.ts'
import { coveredBell } from '#data/nouns/strategy.ts'
import { ACTION_WORDS, channelNames } from '#text/notification.ts'
import { CoveredNote } from './CoveredNote.tsx'
import { useOutbox } from './outbox.ts'
import { useNotify } from './use-notify.ts'

const FIELDS: Record<string, string> = {
  enabled: '的通知',
  actions: '要通知的訊號',
  important: '的「重要」',
  channels: '的通知通道',
}

function valueText(path: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? '開' : '關'
  if (path === 'actions') return ACTION_WORDS[value as keyof typeof ACTION_WORDS]
  return value === null ? '全部通道' : channelNames(value as ChannelId[]) || '沒有選通道'
}

/** `strategy` has what waits laid over it. */
export function CoveredBell({ strategy }: { strategy: Strategy }) {
  const change = useNotify(strategy)
  return (
    <CoveredNote
      covered={coveredBell(useOutbox(), strategy).filter(({ path }) => path in FIELDS)}
      name={({ path }) => `「${strategy.name}」${FIELDS[path]}`}
      text={({ path, value }) => valueText(path, value)}
      onBack={({ path, value }, edited_at) => change({ [path]: value, edited_at })}
    />
  )
}
