// Words of channels, kinds, privacy levels and the states of deliveries (wire.md §8).
import {
  CHANNEL_NAMES,
  type ChannelId,
  type ChannelState,
  type DeliveryState,
  type PrivacyLevel,
} from '#contract/channels.ts'

export const CHANNEL_WORDS: Record<ChannelId, string> = CHANNEL_NAMES
/** Telegram、推播: inside a sentence by {@link joined} of #text/joined.ts. */
export const channelNames = (channels: readonly ChannelId[]): string =>
  channels.map((one) => CHANNEL_WORDS[one]).join('、')
export { KIND_NAMES as KIND_WORDS } from '#contract/channels.ts'
/** Of which signals one is told. */
export const ACTION_WORDS = { all: '全部訊號', opening: '只進場', closing: '只出場' } as const
export const PRIVACY_WORDS: Record<PrivacyLevel, string> = {
  full: '完整',
  symbol_only: '只有商品',
  new_only: '只有「新訊號」',
}
export const DELIVERY_STATE_WORDS: Record<DeliveryState, string> = {
  planned: '等待發送',
  sending: '發送中',
  sent: '已送出',
  confirmed: '已送達',
  unconfirmed: '未確認',
  failed: '稍後再試',
  skipped: '略過',
  dead: '沒有送到',
}
export const CHANNEL_STATE_WORDS: Record<ChannelState, string> = {
  off: '尚未連結',
  none: '這台伺服器沒有設定',
  pending: '等待確認',
  bound: '已連結',
  blocked: '已被封鎖',
  failing: '連線有問題',
}
