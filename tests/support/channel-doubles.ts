// The other side of every channel: what stands in for it where the tests send. A new channel does not compile without its line.
import type { ChannelId } from '#contract/channels.ts'
import { startDiscordApi } from './discord-api.ts'
import { startLineApi } from './line-api.ts'
import { startMailServer } from './mail-server.ts'
import { startPushService } from './push-service.ts'
import { startTelegramApi } from './telegram-api.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'

interface Double {
  /** What it found wrong with what came. */
  readonly wrong: string[]
  close(): Promise<void>
}

/** Null: nothing goes out of the server there. */
export const DOUBLES: Record<ChannelId, (() => Promise<Double>) | null> = {
  in_app: null,
  push: () => startPushService(),
  telegram: () => startTelegramApi(),
  email: () => startMailServer(),
  line: () => startLineApi(),
  discord: () => startDiscordApi(),
  webhook: () => startWebhookReceiver(),
}
