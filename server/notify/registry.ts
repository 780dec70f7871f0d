// Every channel there is; the compiler names the one that is missing.
import type { ChannelId } from '#contract/channels.ts'
import type { Channel } from './channel.ts'
import { inApp } from './channels/in-app/channel.ts'
import { push } from './channels/push/channel.ts'
import { unbuilt } from './channels/unbuilt.ts'

export const CHANNEL_OF: Readonly<Record<ChannelId, Channel>> = {
  in_app: inApp,
  push,
  telegram: unbuilt('telegram'),
  email: unbuilt('email'),
  line: unbuilt('line'),
  discord: unbuilt('discord'),
  webhook: unbuilt('webhook'),
}

/** The channels whose receivers are found so. */
export function channelsThat(receivers: Channel['receivers']): Channel[] {
  return Object.values(CHANNEL_OF).filter((channel) => channel.receivers === receivers)
}
