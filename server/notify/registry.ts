// Every channel there is; the compiler names the one that is missing.
import type { ChannelId } from '#contract/channels.ts'
import type { Channel } from './channel.ts'
import { inApp } from './channels/in-app/channel.ts'

export const CHANNEL_OF: Readonly<Partial<Record<ChannelId, Channel>>> = {
  in_app: inApp,
}
