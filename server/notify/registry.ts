// Every channel there is, for app.ts to hand in; the compiler names the one that is missing.
import type { ChannelId } from '#contract/channels.ts'
import type { Channel } from './channel.ts'
import { discord } from './channels/discord.ts'
import { email } from './channels/email.ts'
import { line } from './channels/line.ts'
import { push } from './channels/push.ts'
import { telegram } from './channels/telegram/updates.ts'
import { webhook } from './channels/webhook.ts'

/** 站內: the inbox. The row is the message, and the event stream carries it; nothing is sent. */
const inApp: Channel = {
  id: 'in_app',
  receivers: 'inbox',
  gathers: false,
  rests: false,
  confirms: true,
  pace: { at_once: 1, per_receiver_ms: 0, per_second: 1_000 },
  unavailable: () => null,
  send: () => Promise.resolve({ kind: 'sent' }),
}

export const CHANNEL_OF: Readonly<Record<ChannelId, Channel>> = {
  in_app: inApp,
  push,
  telegram,
  email,
  line,
  discord,
  webhook,
}
