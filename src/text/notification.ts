// Words of channels, kinds, privacy levels and the states of deliveries (wire.md §8).
import {
  CHANNEL_NAMES,
  type ChannelId,
  type ChannelState,
  type DeliveryState,
  type NotifyActions,
  type PrivacyLevel,
  type Ringing,
} from '#contract/channels.ts'
import { joined } from './format.ts'

export const CHANNEL_WORDS: Record<ChannelId, string> = CHANNEL_NAMES
/** Telegram、推播: inside a sentence by {@link joined} of #text/format.ts. */
export const channelNames = (channels: readonly ChannelId[]): string =>
  channels.map((one) => CHANNEL_WORDS[one]).join('、')
export { KIND_NAMES as KIND_WORDS } from '#contract/channels.ts'
/** Of which signals one is told. */
export const ACTION_WORDS: Record<NotifyActions, string> = {
  all: '全部訊號',
  turns: '只要進出場',
  opening: '只進場',
  closing: '只出場',
}
/** How a strategy's signals come to me: on its bell, in its row, in 為什麼沒收到. */
export const RINGING_WORDS: Record<Ringing | 'own', string> = {
  ring: '響',
  quiet: '安靜收下',
  off: '關',
  own: '自訂',
}
export const RINGING_NOTES: Record<Ringing, string> = {
  ring: '先響手機；沒人確認，才換下一個通道',
  quiet: '只放進收件匣，不響',
  off: '不通知，紀錄照樣看得到',
}
type Told = { channels: ChannelId[] | null; actions: NotifyActions; important: boolean }
/** 只走推播、Telegram: what 自訂 is. */
export const ownText = ({ channels }: Pick<Told, 'channels'>): string =>
  channels?.length ? joined('只走', channelNames(channels)) : '沒有選通道'
/** 只出場 · 勿擾時段也響: what 進階 has that is not as usual. */
export const refinedText = ({ actions, important }: Pick<Told, 'actions' | 'important'>): string =>
  [actions === 'all' ? '' : ACTION_WORDS[actions], important ? '勿擾時段也響' : '']
    .filter(Boolean)
    .join(' · ')
/** What a press on the bell has done. */
export const ringingSaid = (name: string, ringing: Ringing | 'own'): string =>
  ({
    ring: `「${name}」的訊號會響`,
    quiet: `「${name}」的訊號安靜收下，不響`,
    off: `「${name}」的訊號不再通知你`,
    own: `「${name}」照你自訂的方式通知`,
  })[ringing]
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

/** How pushes on this device stand, where the setting and 為什麼沒收到 say the same. */
export const PUSH_TEXT = {
  checking: '正在看這支裝置…',
  off: '這支裝置還沒有打開推播。',
  lost: '這支裝置的推播已失效或被移除，要再打開一次。',
} as const
