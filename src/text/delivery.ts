// What a person can do about a delivery that did not arrive, in words, where its own reason does not say it.
import { CHANNEL_NAMES, type DeliveryState, forEachChannel } from '#contract/channels.ts'
import type { NotificationDelivery } from '#contract/notification.ts'

/** What was given up: what to look at, then 重送. */
const DEAD = forEachChannel((channel) => `到設定檢查 ${CHANNEL_NAMES[channel]} 的 Webhook 網址，然後重送。`, {
  in_app: '',
  push: '在那台裝置上打開凌波，關掉推播再打開一次，然後重送。',
  telegram: '到設定對 Telegram 傳送測試，沒過就重新綁定，然後重送。',
  email: '確認這個信箱收得到信，也看看垃圾信匣，然後重送。',
  line: '到設定對 LINE 傳送測試，沒過就重新綁定，然後重送。',
  webhook: '檢查你的程式連得到、會回成功，然後重送。',
})
const OTHER: Partial<Record<DeliveryState, string>> = {
  unconfirmed: '裝置關機或沒有網路時會這樣，連上後就會出現。',
  failed: '會自動再試，不必做什麼。',
}

/** Nothing where it arrived, waits or was not wanted, and where the reason itself asks for something (請…). */
function adviceText({
  channel,
  state,
  reason,
}: Pick<NotificationDelivery, 'channel' | 'state' | 'reason'>): string {
  if (reason?.includes('請')) return ''
  return state === 'dead' ? DEAD[channel] : (OTHER[state] ?? '')
}

/** The reason as a sentence, and what to do: 對方太久沒有回應。檢查你的程式…. */
export function whyText(delivery: Pick<NotificationDelivery, 'channel' | 'state' | 'reason'>): string {
  return closed(delivery.reason ?? '') + adviceText(delivery)
}

/** A reason as a whole sentence, with its full stop; nothing stays nothing. */
export const closed = (reason: string): string =>
  reason === '' || /[。！？]$/.test(reason) ? reason : `${reason}。`
