// The channels over which I am reached: their state, binding an account, addresses, and the test of each.
import { queryOptions } from '@tanstack/react-query'
import {
  bindLine,
  bindTelegram,
  getLineBinding,
  getTelegramBinding,
  testPush,
  unbindLine,
  unbindTelegram,
  unmuteTelegram,
} from '#contract/binding.ts'
import type { BoundChannel, ChannelId } from '#contract/channels.ts'
import type { InputOf } from '#contract/endpoint.ts'
import { deleteChannel, listChannels, testChannel, updateChannel } from '#contract/notification.ts'
import { askAgain, getData, write } from '../current.ts'
import { keys } from '../keys.ts'

const BINDING = {
  telegram: { get: getTelegramBinding, start: bindTelegram, end: unbindTelegram },
  line: { get: getLineBinding, start: bindLine, end: unbindLine },
} as const satisfies Record<BoundChannel, object>

export const channelQueries = {
  list: () =>
    queryOptions({
      queryKey: keys.person.channels,
      queryFn: ({ signal }) => getData().client.call(listChannels, {}, { signal }),
    }),
  /** How far the binding is; a one-time link is nobody's to keep. */
  binding: (channel: BoundChannel) =>
    queryOptions({
      queryKey: keys.person.binding(channel),
      queryFn: ({ signal }) => getData().client.call(BINDING[channel].get, {}, { signal }),
      meta: { keep: false },
      gcTime: 0,
    }),
}

/** A channel shows in its list, in the setting, and among what is to be done. */
function askChannels(): void {
  void askAgain(keys.person.channels, keys.person.notification_setting, keys.dashboard('personal'))
}

export const channelMutations = {
  bind: (channel: BoundChannel) =>
    write(
      () => getData().client.call(BINDING[channel].start, {}),
      (begun) => getData().query.setQueryData(channelQueries.binding(channel).queryKey, begun),
    ),
  /** The chat that waits is mine. */
  confirm: (channel: BoundChannel) =>
    write(
      (confirm: string) => getData().client.call(BINDING[channel].start, { confirm }),
      (bound) => {
        getData().query.setQueryData(channelQueries.binding(channel).queryKey, bound)
        askChannels()
      },
    ),
  unbind: (channel: BoundChannel) =>
    write(() => getData().client.call(BINDING[channel].end, {}), askChannels),
  /** Every chat of mine is told again. */
  unmute: () => write(() => getData().client.call(unmuteTelegram, {}), askChannels),
  /** Its address, whose signals go there, or a new secret, which comes back once. */
  update: () =>
    write((input: InputOf<typeof updateChannel>) => getData().client.call(updateChannel, input), askChannels),
  remove: () =>
    write((input: InputOf<typeof deleteChannel>) => getData().client.call(deleteChannel, input), askChannels),
  /** One result, of push one per device. */
  test: () =>
    write(
      async (channel: ChannelId) =>
        channel === 'push'
          ? getData().client.call(testPush, {})
          : [await getData().client.call(testChannel, { channel })],
      () => void askAgain(keys.person.channels, keys.person.push_devices),
    ),
}
