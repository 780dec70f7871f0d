// The order of channels as a list: those that can ring, those that will once they are connected, and those that stand outside.
import type { ChannelId, ChannelState } from '#contract/channels.ts'
import type { NotificationChannel, NotificationSetting } from '#contract/notification-shape.ts'

/** `rows` in their order, with why one is passed over; `later` not connected yet; `left` may be put into it. */
export interface OrderRows {
  rows: { channel: ChannelId; note: string | null }[]
  later: ChannelId[]
  left: ChannelId[]
}

/** Channels that somebody connected, whether or not they work at this moment. */
const CONNECTED: readonly ChannelState[] = ['bound', 'failing', 'blocked']

export function orderRows(
  { fallback: { order }, channels: on, kinds }: Pick<NotificationSetting, 'fallback' | 'channels' | 'kinds'>,
  channels: readonly NotificationChannel[],
): OrderRows {
  const state_of = new Map(channels.map(({ channel, state }) => [channel, state]))
  const connected = (channel: ChannelId) => CONNECTED.includes(state_of.get(channel) ?? 'off')
  return {
    rows: order.filter(connected).map((channel) => ({
      channel,
      note:
        state_of.get(channel) === 'blocked'
          ? '已被封鎖，先跳過'
          : !on[channel]
            ? '通道關著，先跳過'
            : kinds.signal[channel]
              ? null
              : '訊號沒有勾，只輪到其他通知',
    })),
    later: order.filter((channel) => !connected(channel) && state_of.get(channel) !== 'none'),
    // in_app always has it, a robot's address is no way to reach a person, and what the server does not have reaches nobody
    left: channels.flatMap(({ channel, state }) =>
      channel === 'in_app' || channel === 'webhook' || state === 'none' || order.includes(channel)
        ? []
        : [channel],
    ),
  }
}

/** The order without `channel`, or with it before another: what is not shown between them stays where it is. */
export function without(order: readonly ChannelId[], channel: ChannelId, before?: ChannelId): ChannelId[] {
  const rest = order.filter((one) => one !== channel)
  return before === undefined ? rest : rest.toSpliced(rest.indexOf(before), 0, channel)
}
