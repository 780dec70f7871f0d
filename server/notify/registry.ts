// Every channel there is, for app.ts to hand in; the compiler names the one that is missing.
import type { ChannelId } from '#contract/channels.ts'
import type { Channel } from './channel.ts'
import { discord } from './channels/discord/channel.ts'
import { email } from './channels/email/channel.ts'
import { inApp } from './channels/in-app/channel.ts'
import { line } from './channels/line/channel.ts'
import { push } from './channels/push/channel.ts'
import { telegram } from './channels/telegram/channel.ts'
import { webhook } from './channels/webhook/channel.ts'

export const CHANNEL_OF: Readonly<Record<ChannelId, Channel>> = {
  in_app: inApp,
  push,
  telegram,
  email,
  line,
  discord,
  webhook,
}
