/* What another device's later edit covered of how I am told of one strategy, each with 「還原」. */

import { useState } from 'react'
import type { ChannelId } from '#contract/channels.ts'
import type { Strategy } from '#contract/strategy.ts'
import { type Covered, coveredBell } from '#data/nouns/strategy.ts'
import { ACTION_WORDS, channelNames } from '#text/notification.ts'
import { serverNow } from '#text/now.ts'
import { when } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Banner } from '#ui/EmptyState.tsx'
import css from './cards.module.css'
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

/* Two devices changed the same field: the later one stands, and the earlier value can be put back. */

/** Nothing when nothing was covered. What was put aside stays aside while the page is open. */
export function CoveredNote({
  covered,
  name,
  text,
  onBack,
}: {
  covered: readonly Covered[]
  /** 「公告送到推播」, before 在兩支裝置上都改過. */
  name: (one: Covered) => string
  /** The value in words. */
  text: (one: Covered) => string
  /** Sets the value again; `edited_at` makes it later than what stands. */
  onBack: (one: Covered, edited_at: string) => void
}) {
  const [aside, setAside] = useState<readonly string[]>([])
  return covered
    .filter(({ key }) => !aside.includes(key))
    .map((one) => (
      <div className={css.CoveredNote} key={one.key}>
        <Banner
          tone="info"
          icon="swap"
          onClose={() => setAside([...aside, one.key])}
          action={
            <Button size="s" onClick={() => onBack(one, after(one.standing_at))}>
              還原
            </Button>
          }
        >
          {name(one)}在兩支裝置上都改過，以較晚的為準。
          <span className={css.CoveredNoteTold}>
            {one.device_label ?? '另一支裝置'} {when(one.at, serverNow())} 改的是：{text(one)}
          </span>
        </Banner>
      </div>
    ))
}

/** Now, and in any case later than what it takes the place of: devices know the time by whole seconds. */
function after(standing_at: string): string {
  return new Date(Math.max(serverNow(), Date.parse(standing_at) + 1)).toISOString()
}
