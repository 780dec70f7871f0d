/* 合併與備援: how much is gathered, and which channel follows when the one before is not confirmed. */
import { MERGE_SECONDS } from '#contract/channels.ts'
import type { NotificationChannel } from '#contract/notification.ts'
import { Card } from '#ui/Card.tsx'
import { Segments } from '#ui/Segments.tsx'
import css from './MoreCard.module.css'
import { Order } from './Order.tsx'
import type { SettingCard } from './use-setting.ts'
import { mergeText } from './words.ts'

export function MoreCard({
  setting,
  change,
  channels,
}: SettingCard & { channels: readonly NotificationChannel[] }) {
  return (
    <Card title="合併與備援" pad>
      <h3 className={css.title}>合併通知</h3>
      <p className="t13 ink3">短時間的多筆訊號合成一則。要最快收到，選不合併。</p>
      <div className={css.keys}>
        <Segments
          label="合併通知"
          value={String(setting.merge_seconds)}
          onChange={(seconds) => change({ merge_seconds: Number(seconds) }, '合併通知')}
          options={MERGE_SECONDS.map((seconds) => ({ value: String(seconds), label: mergeText(seconds) }))}
          tall
        />
      </div>
      <Order setting={setting} change={change} channels={channels} />
    </Card>
  )
}
