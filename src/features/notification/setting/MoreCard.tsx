/* 合併與備援: how much is gathered, and which channel follows when the one before is not confirmed. */
import { useState } from 'react'
import { type ChannelId, MERGE_SECONDS } from '#contract/channels.ts'
import type { NotificationChannel } from '#contract/notification-shape.ts'
import { joined } from '#text/joined.ts'
import { CHANNEL_WORDS } from '#text/notification.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { ChipSelect } from '#ui/ChipSelect.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { NumberField } from '#ui/NumberField.tsx'
import { Segments } from '#ui/Segments.tsx'
import css from './MoreCard.module.css'
import type { Card as Setting } from './use-setting.ts'
import { mergeText } from './words.ts'

const AFTER_MIN = 10
const AFTER_MAX = 3_600

export function MoreCard({
  setting,
  change,
  channels,
}: Setting & { channels: readonly NotificationChannel[] }) {
  const { order, after_s } = setting.fallback
  const [typed, setTyped] = useState<string | null>(null)
  const after = Number(typed ?? after_s)
  const wrong = !Number.isInteger(after) || after < AFTER_MIN || after > AFTER_MAX
  const set = (next: readonly ChannelId[]) => change({ 'fallback.order': [...next] }, '備援順序')
  // in_app always has it, a robot's address is no way to reach a person, and what the server does not have reaches nobody
  const left = channels.flatMap(({ channel: one, state }) =>
    one === 'in_app' || one === 'webhook' || state === 'none' || order.includes(one) ? [] : [one],
  )
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
      <h3 className={css.title}>備援順序</h3>
      <p className="t13 ink3">排進來的通道一個接一個：前一個沒有確認送到，才用下一個。沒排進來的同時送出。</p>
      <ol className={css.order}>
        {order.map((channel, at) => (
          <li key={channel}>
            <span className="num ink3">{at + 1}</span>
            <span className="sp">{CHANNEL_WORDS[channel]}</span>
            <IconButton
              icon="arrow-up"
              label={joined(CHANNEL_WORDS[channel], '往前')}
              disabled={at === 0}
              onClick={() => set(order.with(at, order[at - 1] as ChannelId).with(at - 1, channel))}
            />
            <IconButton
              icon="close"
              label={joined('備援不用', CHANNEL_WORDS[channel])}
              onClick={() => set(order.filter((one) => one !== channel))}
            />
          </li>
        ))}
      </ol>
      {left.length > 0 && (
        <div className={css.keys}>
          <ChipSelect
            label="加入通道"
            value=""
            onChange={(channel) => channel && set([...order, channel as ChannelId])}
            options={[
              { value: '', label: '加入通道', disabled: true },
              ...left.map((channel) => ({ value: channel, label: CHANNEL_WORDS[channel] })),
            ]}
          />
        </div>
      )}
      {order.length > 1 && (
        <div className={css.after}>
          <NumberField
            label="等多久沒確認就用下一個"
            unit="秒"
            integer
            value={typed ?? String(after_s)}
            onChange={setTyped}
            onBlur={() => {
              if (typed !== null && !wrong && after !== after_s)
                change({ 'fallback.after_s': after }, '換下一個通道前等待')
              if (!wrong) setTyped(null)
            }}
            error={typed !== null && wrong ? `填 ${AFTER_MIN} 到 3,600 之間的整數秒` : null}
          />
          {typed !== null && wrong && (
            <Button size="s" onClick={() => setTyped(null)}>
              維持 {after_s} 秒
            </Button>
          )}
        </div>
      )}
    </Card>
  )
}
