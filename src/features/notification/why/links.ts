// Where the buttons of 為什麼沒收到 lead: the settings, and a channel opened in them.
import type { ChannelId } from '#contract/channels.ts'

export const SETTING = '/signal-notification?tab=setting'
export const at = (channel: ChannelId): string => `${SETTING}&channel=${channel}`
