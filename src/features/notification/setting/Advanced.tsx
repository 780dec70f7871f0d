/* 進階: in which order channels ring, how much is gathered, and which kinds go where. */

import { useState } from 'react'
import {
  CHANNELS,
  type ChannelId,
  FALLBACK,
  MERGE_SECONDS,
  NOTIFICATION_KINDS,
  takes,
} from '#contract/channels.ts'
import type { NotificationChannel } from '#contract/notification.ts'
import { joined } from '#text/format.ts'
import { CHANNEL_WORDS, KIND_WORDS } from '#text/notification.ts'
import { Button } from '#ui/Button.tsx'
import { Fold } from '#ui/Card.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { NumberField } from '#ui/NumberField.tsx'
import { cx } from '#ui/open.ts'
import { ChipSelect, Segments } from '#ui/Segments.tsx'
import css from './SettingTab.module.css'
import type { SettingCard } from './use-setting.ts'
import { mergeText, orderRows, ownParts, pathText, suggested, without } from './words.ts'

type Part = SettingCard & { channels: readonly NotificationChannel[] }

/** Closed, with a word of what is not as suggested: that stays in force until its person changes it. */
export function Advanced({ setting, change, channels }: Part) {
  const own = ownParts(setting)
  const part = { setting, change, channels }
  return (
    <section className="card flush" aria-label="進階">
      <Fold title="進階" note={own.length > 0 ? `自訂：${own.join('、')}` : '順序、合併、各通道收哪些'}>
        <div className={css.advanced}>
          {own.length > 0 && (
            <Button size="s" icon="refresh" onClick={() => change(suggested(setting), '改回建議')}>
              全部改回建議
            </Button>
          )}
          <div>
            <Order {...part} />
          </div>
          <div>
            <h3 className={css.title}>合併通知</h3>
            <p className="t13 ink3">短時間的多筆訊號合成一則。要最快收到，選不合併。</p>
            <div className={css.keys}>
              <Segments
                label="合併通知"
                value={String(setting.merge_seconds)}
                onChange={(seconds) => change({ merge_seconds: Number(seconds) }, '合併通知')}
                options={MERGE_SECONDS.map((seconds) => ({
                  value: String(seconds),
                  label: mergeText(seconds),
                }))}
                tall
              />
            </div>
          </div>
          <Matrix {...part} />
        </div>
      </Fold>
    </section>
  )
}

/* 依序通知: which channel rings first, and which follows when nothing has confirmed it. */

const AFTER_MIN = 10
const AFTER_MAX = 3_600

function Order({ setting, change, channels }: Part) {
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

/* 什麼通知、送到哪裡: channels down, kinds across, so that the table fits a phone and every box a thumb. */

/** A channel that is switched off or not bound stands back; what is ticked there counts as soon as it can. */
function Matrix({ setting, change, channels }: Part) {
  const works = (id: string) => channels.find(({ channel }) => channel === id)?.state !== 'none'
  return (
    <div className={css.matrix}>
      <h3 className={css.matrixTitle}>什麼通知、送到哪裡</h3>
      <table className={css.matrixCard}>
        <thead>
          <tr>
            <td />
            {NOTIFICATION_KINDS.map((kind) => (
              <th key={kind} scope="col">
                {KIND_WORDS[kind]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {CHANNELS.filter(works).map((channel) => (
            <tr key={channel} className={cx(!setting.channels[channel] && css.off)}>
              <th scope="row">{CHANNEL_WORDS[channel]}</th>
              {NOTIFICATION_KINDS.map((kind) => {
                const name = pathText(`kinds.${kind}.${channel}`)
                // a box that can be ticked and does nothing would promise what never comes
                if (!takes(channel, kind))
                  return (
                    <td key={kind} className={css.never}>
                      <span aria-hidden="true">–</span>
                      <span className="vh">不送</span>
                    </td>
                  )
                return (
                  <td key={kind}>
                    <Checkbox
                      hideLabel
                      cell
                      label={name}
                      checked={setting.kinds[kind][channel]}
                      disabled={!setting.channels[channel]}
                      onChange={(on) => change({ [`kinds.${kind}.${channel}`]: on }, name)}
                    />
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={css.matrixCardNote}>
        警示：訊息沒收下、部位不一致、訊號沒有價格、太久沒收到訊號。外送 Webhook
        只送訊號，程式收到的每一則都是紀錄。關掉的通道在上面的「通道」打開。
      </p>
    </div>
  )
}
