/* 什麼通知、送到哪裡: channels down, kinds across, so that the table fits a phone and every box a thumb. */
import { CHANNELS, NOTIFICATION_KINDS, takes } from '#contract/channels.ts'
import type { NotificationChannel } from '#contract/notification.ts'
import { CHANNEL_WORDS, KIND_WORDS } from '#text/notification.ts'
import { Card } from '#ui/Card.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { cx } from '#ui/open.ts'
import css from './MatrixCard.module.css'
import type { SettingCard } from './use-setting.ts'
import { pathText } from './words.ts'

/** A channel that is switched off or not bound stands back; what is ticked there counts as soon as it can. */
export function MatrixCard({
  setting,
  change,
  channels,
}: SettingCard & { channels: readonly NotificationChannel[] }) {
  const works = (id: string) => channels.find(({ channel }) => channel === id)?.state !== 'none'
  return (
    <Card title="什麼通知、送到哪裡" flush>
      <table className={css.root}>
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
      <p className={css.note}>
        警示：訊息沒收下、部位不一致、訊號沒有價格、太久沒收到訊號。外送 Webhook
        只送訊號，程式收到的每一則都是紀錄。關掉的通道在上面的「通道」打開。
      </p>
    </Card>
  )
}
