/* Two devices changed the same field: the later one stands, and the earlier value can be put back. */
import { useState } from 'react'
import type { Covered } from '#data/nouns/notification-setting.ts'
import { joined } from '#text/joined.ts'
import { when } from '#text/time.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import css from './CoveredNote.module.css'
import type { Change } from './use-setting.ts'
import { pathText, valueText } from './words.ts'

/** Nothing when nothing was covered. What was put aside stays aside while the page is open. */
export function CoveredNote({ covered, change }: { covered: readonly Covered[]; change: Change }) {
  const [aside, setAside] = useState<readonly string[]>([])
  return covered
    .filter(({ key }) => !aside.includes(key))
    .map(({ key, path, value, device_label, at, standing_at }) => (
      <div className={css.root} key={key}>
        <Banner
          tone="info"
          icon="swap"
          onClose={() => setAside([...aside, key])}
          action={
            <Button
              size="s"
              onClick={() =>
                change({ [path]: value, edited_at: after(standing_at) }, joined('還原', pathText(path)))
              }
            >
              還原
            </Button>
          }
        >
          「{pathText(path)}」在兩支裝置上都改過，以較晚的為準。
          <span className="nowrap">
            {device_label ?? '另一支裝置'} {when(at, Date.now())} 改的是：{valueText(path, value)}
          </span>
        </Banner>
      </div>
    ))
}

/** Now, and in any case later than what it takes the place of: devices know the time by whole seconds. */
function after(standing_at: string): string {
  return new Date(Math.max(Date.now(), Date.parse(standing_at) + 1)).toISOString()
}
