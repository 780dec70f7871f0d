// Trials of the calls of notifications, their channels and devices.
import type { Things, Trial } from './trial.ts'

const NOBODY = '01890000-0000-7000-8000-000000000000'

/** Of the caller alone, whatever the context: the inbox holds what every identity of the person may see. */
const own = (input: (things: Things) => Record<string, unknown> = () => ({})): Trial => ({
  names: 'inbox',
  input,
})
const plain = (input: Record<string, unknown> = {}): Trial => ({ names: 'nothing', input: () => input })

/** A subscription as Chromium gives it; the address is no push service's, so whoever may is told so. */
const SUBSCRIPTION = {
  endpoint: 'https://push.example.invalid/one',
  keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) },
}

export const NOTIFY_TRIALS: Record<string, Trial[]> = {
  'notification-setting.get': [own()],
  'notification-setting.update': [own(() => ({ 'channels.email': false, 'quiet_hours.from': '22:00' }))],
  'notification.list': [own(), own(() => ({ unread: 'true', limit: 200 }))],
  'notification.read': [own(() => ({ up_to: 0 })), own(() => ({ ids: [NOBODY] }))],
  'notification-delivery.list': [own(), own(() => ({ channel: 'in_app', limit: 200 }))],
  'notification-delivery.resend': [
    { names: 'person', input: ({ notice_id }) => ({ id: notice_id ?? NOBODY }) },
  ],
  'notification-channel.list': [own()],
  'notification-channel.self-test': [own(() => ({ channel: 'in_app' }))],
  'signal.receipts': [
    own(({ signal_id }) => ({ items: [{ signal_id: signal_id ?? NOBODY, channel: 'push' }] })),
  ],
  'strategy.latency': [{ names: 'context', input: ({ strategy_id }) => ({ id: strategy_id }) }],
  'notification-channel.update': [own(() => ({ channel: 'webhook', address: 'https://203.0.113.9/hook' }))],
  'notification-channel.delete': [own(() => ({ channel: 'discord' }))],
  'push.key': [plain()],
  'push.list': [plain()],
  'push.subscribe': [plain(SUBSCRIPTION)],
  'push.unsubscribe': [plain({ endpoint: SUBSCRIPTION.endpoint })],
  'push.delete': [{ names: 'person', input: ({ receiver_id }) => ({ id: receiver_id ?? NOBODY }) }],
  'push.self-test': [plain()],
  'telegram.bind': [plain()],
  'telegram.binding': [plain()],
  'telegram.unbind': [plain()],
  'telegram.unmute': [plain()],
  'telegram.self-test': [plain()],
  'line.bind': [plain()],
  'line.binding': [plain()],
  'line.unbind': [plain()],
  'telegram.updates': [plain({ update_id: 1 })],
  'line.updates': [plain({ events: [] })],
}
