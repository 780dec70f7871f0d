// How pushes on this device stand, as a step of 為什麼沒收到, and what mends it.
import type { ChannelId } from '#contract/channels.ts'
import type { PushState } from '#data/nouns/push.ts'
import { joined } from '#text/joined.ts'
import { channelNames, PUSH_TEXT } from '#text/notification.ts'
import type { Check, Mend } from './check.ts'
import { at, SETTING } from './links.ts'

const PUSH: Record<PushState, Omit<Check, 'key' | 'title'>> = {
  checking: { state: 'unknown', note: PUSH_TEXT.checking },
  unsupported: { state: 'warn', note: '這個瀏覽器沒有推播。' },
  needs_install: { state: 'warn', note: 'iPhone 和 iPad 要先把凌波加入主畫面，從那裡打開才有推播。' },
  denied: { state: 'bad', note: '這支裝置不允許凌波通知，要到瀏覽器或系統的設定裡打開。' },
  default: { state: 'warn', note: PUSH_TEXT.off },
  off: { state: 'warn', note: PUSH_TEXT.off },
  on: { state: 'ok', note: '已允許，也訂閱了。' },
  other_key: { state: 'bad', note: '伺服器換過推播的金鑰，要再打開一次。' },
  lost: { state: 'bad', note: PUSH_TEXT.lost },
}
/** Pushes that were never on here; `other_key` and `lost` were, and something ended them. */
const OFF: readonly PushState[] = ['unsupported', 'needs_install', 'denied', 'default', 'off']

/** `beside` other channels that ring at once: where there are some, a device without pushes is no reason; null while they are not known. */
export function ofPush(state: PushState, beside: readonly ChannelId[] | null): Check {
  const mend: Mend | undefined = ['default', 'off', 'other_key', 'lost'].includes(state)
    ? { do: 'push', label: '打開推播' }
    : state === 'denied' || state === 'needs_install'
      ? { do: 'open', href: at('push'), label: '看步驟' }
      : state === 'unsupported'
        ? { do: 'open', href: SETTING, label: '看其他通道' }
        : undefined
  const check: Check = { key: 'push', title: '這支裝置的推播', ...PUSH[state], ...(mend && { mend }) }
  if (beside?.length === 0) return check
  if (beside && OFF.includes(state))
    return { ...check, state: 'aside', note: joined(`${check.note}訊號走`, channelNames(beside), '。') }
  return check.state === 'bad' ? { ...check, state: 'warn' } : check
}
