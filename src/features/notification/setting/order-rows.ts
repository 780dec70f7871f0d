// The order of channels as a list: those that are connected, and those that may be put into it.
import type { ChannelId } from '#contract/channels.ts'
import type { NotificationChannel } from '#contract/notification.ts'

/** `rows` of the order; `left` may be put into it. What is not connected keeps its place, and is not shown. */
export function orderRows(
  order: readonly ChannelId[],
  channels: readonly NotificationChannel[],
): { rows: ChannelId[]; left: ChannelId[] } {
  const state = (id: ChannelId) => channels.find(({ channel }) => channel === id)?.state ?? 'off'
  return {
    rows: order.filter((id) => /^(bound|failing|blocked)$/.test(state(id))),
    // in_app always has it, a robot's address is no way to reach a person, and what the server does not have reaches nobody
    left: channels.flatMap(({ channel: id }) =>
      id === 'in_app' || id === 'webhook' || state(id) === 'none' || order.includes(id) ? [] : [id],
    ),
  }
}

/** The order without `channel`, or with it before another: what is not shown between them stays where it is. */
export function without(order: readonly ChannelId[], channel: ChannelId, before?: ChannelId): ChannelId[] {
  const rest = order.filter((one) => one !== channel)
  return before === undefined ? rest : rest.toSpliced(rest.indexOf(before), 0, channel)
}
