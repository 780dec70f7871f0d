/* 依序通知: which channel rings first, and which follows when nothing has confirmed it. */
import { useState } from 'react'
import { type ChannelId, FALLBACK } from '#contract/channels.ts'
import type { NotificationChannel } from '#contract/notification.ts'
import { joined } from '#text/joined.ts'
import { CHANNEL_WORDS } from '#text/notification.ts'
import { Button } from '#ui/Button.tsx'
import { ChipSelect } from '#ui/Chips.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { NumberField } from '#ui/NumberField.tsx'
import css from './MoreCard.module.css'
import { orderRows, without } from './order-rows.ts'
import type { SettingCard } from './use-setting.ts'
import { pathText } from './words.ts'

const AFTER_MIN = 10
const AFTER_MAX = 3_600

export function Order({
  setting,
  change,
  channels,
}: SettingCard & { channels: readonly NotificationChannel[] }) {
  const { order, after_s } = setting.fallback
  const [typed, setTyped] = useState<string | null>(null)
  const after = Number(typed ?? after_s)
  const wrong = !Number.isInteger(after) || after < AFTER_MIN || after > AFTER_MAX
  const set = (next: readonly ChannelId[]) =>
    change({ 'fallback.order': [...next] }, pathText('fallback.order'))
  const { rows, left } = orderRows(order, channels)
  return (
    <>
      <h3 className={css.title}>依序通知</h3>
      <p className="t13 ink3">
        前一個沒送到，才換下一個。沒排順序的一起送。
        {order.length === 0
          ? '現在一個也沒排，全部一起送。'
          : rows.length === 0 && '連結通道之後，順序會排在這裡。'}
      </p>
      <ol className={css.order} aria-label="依序通知">
        {rows.map((channel, at) => (
          <li key={channel}>
            <span className="num ink3">{at + 1}</span>
            <span className="sp">{CHANNEL_WORDS[channel]}</span>
            <IconButton
              icon="arrow-up"
              label={joined(CHANNEL_WORDS[channel], '往前')}
              disabled={at === 0}
              onClick={() => set(without(order, channel, rows[at - 1]))}
            />
            <IconButton
              icon="close"
              label={joined('備援不用', CHANNEL_WORDS[channel])}
              onClick={() => set(without(order, channel))}
            />
          </li>
        ))}
      </ol>
      <div className={css.keys}>
        {left.length > 0 && (
          <ChipSelect
            label="加入通道"
            value=""
            onChange={(channel) => channel && set([...order, channel as ChannelId])}
            options={[
              { value: '', label: '加入通道', disabled: true },
              ...left.map((channel) => ({ value: channel, label: CHANNEL_WORDS[channel] })),
            ]}
          />
        )}
        {order.length === 0 ? (
          <Button size="s" onClick={() => set(FALLBACK.order)}>
            用建議的順序
          </Button>
        ) : (
          // of one alone it means nothing
          rows.length > 1 && (
            <Button size="s" onClick={() => set([])}>
              全部同時送出
            </Button>
          )
        )}
      </div>
      {rows.length > 1 && (
        <div className={css.after}>
          <NumberField
            label="等多久沒確認就用下一個"
            unit="秒"
            integer
            value={typed ?? String(after_s)}
            onChange={setTyped}
            onBlur={() => {
              if (typed !== null && !wrong && after !== after_s)
                change({ 'fallback.after_s': after }, pathText('fallback.after_s'))
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
    </>
  )
}
