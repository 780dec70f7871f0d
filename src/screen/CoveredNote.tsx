/* Two devices changed the same field: the later one stands, and the earlier value can be put back. */
import { useState } from 'react'
import type { Covered } from '#data/nouns/strategy.ts'
import { serverNow } from '#text/now.ts'
import { when } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Banner } from '#ui/EmptyState.tsx'
import css from './cards.module.css'

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
