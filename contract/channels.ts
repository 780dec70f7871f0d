// Where a notification can go, and what it can be about: one list for settings, deliveries, strategies and the server (wire.md §8).

/**
 * A new channel is one line here, with its name on screens; the compiler then names what is missing (docs/adding.md). `by`: how it is
 * connected: nothing to do; each device for itself; the account's mailbox; an account there by a one-time link or code; an address
 * that is typed. `to`: who reads it there.
 */
const FACTS = {
  in_app: { name: '站內', by: 'inside', to: 'app' },
  push: { name: '推播', by: 'device', to: 'person' },
  telegram: { name: 'Telegram', by: 'link', to: 'person' },
  email: { name: '電子郵件', by: 'mailbox', to: 'person' },
  line: { name: 'LINE', by: 'link', to: 'person' },
  discord: { name: 'Discord', by: 'address', to: 'person' },
  webhook: { name: '外送 Webhook', by: 'address', to: 'program' },
} as const satisfies Record<
  string,
  { name: string; by: 'inside' | 'device' | 'mailbox' | 'link' | 'address'; to: 'app' | 'person' | 'program' }
>
export type ChannelId = keyof typeof FACTS
export const CHANNELS = Object.keys(FACTS) as readonly ChannelId[] as readonly [ChannelId, ...ChannelId[]]
export const CHANNEL_NAMES = Object.fromEntries(CHANNELS.map((id) => [id, FACTS[id].name])) as Record<
  ChannelId,
  string
>

/** Nobody compares a channel with a name: what sets it apart is asked here. */
export const connectedBy = (channel: ChannelId) => FACTS[channel].by
export const isInside = (channel: ChannelId): boolean => FACTS[channel].to === 'app'
/** It must hear of every record, in order, and rings on nobody's phone. */
export const isProgram = (channel: ChannelId): boolean => FACTS[channel].to === 'program'
export const reachesPerson = (channel: ChannelId): boolean => FACTS[channel].to === 'person'

type By<B> = { [K in ChannelId]: (typeof FACTS)[K]['by'] extends B ? K : never }[ChannelId]
/** With an account that a one-time link or code binds. */
export type BoundChannel = By<'link'>
export const isBound = (channel: ChannelId): channel is BoundChannel => FACTS[channel].by === 'link'
/** With an address that the person types in. */
export type AddressedChannel = By<'address'>
export const isAddressed = (channel: ChannelId): channel is AddressedChannel =>
  FACTS[channel].by === 'address'
export const ADDRESSED = CHANNELS.filter(isAddressed)

/** What people read there may be shortened; `webhook` is a robot's, it gets the record or nothing. */
export const PRIVACY_LEVELS = ['full', 'symbol_only', 'new_only'] as const
export type PrivacyLevel = (typeof PRIVACY_LEVELS)[number]

/** Ruling C36: signals, announcements, what concerns memberships, and alarms (refused messages, mismatch, missing price, silence). */
export const NOTIFICATION_KINDS = ['signal', 'announcement', 'organization', 'alarm'] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]
export const KIND_NAMES: Record<NotificationKind, string> = {
  signal: '訊號',
  announcement: '公告',
  organization: '組織',
  alarm: '警示',
}

/** What a channel takes, where it is not every kind: a robot must be able to take every message for a record (docs/decisions/channels.md). */
export const ONLY_KINDS = { webhook: ['signal'] } as const satisfies Partial<
  Record<ChannelId, readonly NotificationKind[]>
>
export function takes(channel: ChannelId, kind: NotificationKind): boolean {
  const only: Partial<Record<ChannelId, readonly NotificationKind[]>> = ONLY_KINDS
  return only[channel]?.includes(kind) ?? true
}

/** How a delivery stands. `confirmed`: a device showed it, or the other side takes the word for it; `dead`: given up, with a reason. */
export const DELIVERY_STATES = [
  'planned',
  'sending',
  'sent',
  'confirmed',
  'unconfirmed',
  'failed',
  'skipped',
  'dead',
] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** How a person's channel stands: `off` = not bound, `none` = this server has no key for it. */
export const CHANNEL_STATES = ['off', 'none', 'pending', 'bound', 'blocked', 'failing'] as const
export type ChannelState = (typeof CHANNEL_STATES)[number]

/** Something for each channel: its own, or what holds for one of which nobody has said otherwise. */
export const forEachChannel = <T>(
  usual: (channel: ChannelId) => T,
  own: Partial<Record<ChannelId, T>>,
): Record<ChannelId, T> =>
  Object.fromEntries(CHANNELS.map((channel) => [channel, own[channel] ?? usual(channel)])) as Record<
    ChannelId,
    T
  >

/** Seconds that signals of one receiver are gathered before one message goes out. */
export const MERGE_SECONDS = [0, 10, 30, 60] as const

/**
 * What holds for somebody who never chose: one channel after the other, the next when the one before has said nothing for so many
 * seconds (docs/decisions/notifications.md). The inbox is no place in it, nor is a robot's address: it reaches no person.
 */
export const FALLBACK = {
  after_s: 60,
  order: ['push', 'telegram', 'line', 'discord', 'email'],
} as const satisfies { after_s: number; order: readonly ChannelId[] }

/** What is off for somebody who never chose: most mail, memberships in a Discord channel, all but signals to a robot. */
const KIND_OFF: Partial<Record<ChannelId, readonly NotificationKind[]>> = {
  email: ['signal', 'announcement', 'alarm'],
  discord: ['organization'],
  webhook: ['announcement', 'organization', 'alarm'],
}
export const kindDefault = (kind: NotificationKind, channel: ChannelId): boolean =>
  !KIND_OFF[channel]?.includes(kind)

/** Of which signals one is told; `turns` = entries, exits and reversals, nothing that only adds or reduces. */
export const NOTIFY_ACTIONS = ['all', 'turns', 'opening', 'closing'] as const
export type NotifyActions = (typeof NOTIFY_ACTIONS)[number]

/** How a strategy's signals come to one person: one choice, said by what is stored anyway (docs/decisions/notifications.md). */
export const RINGINGS = ['ring', 'quiet', 'off'] as const
export type Ringing = (typeof RINGINGS)[number]

/** What of a strategy's setting the choice speaks of. */
export interface Bell {
  enabled: boolean
  channels: ChannelId[] | null
}

/** No device sounds for these: the inbox, and a program that must hear of every record. */
const SILENT = CHANNELS.filter((channel) => !reachesPerson(channel))

const isSame = (channels: readonly ChannelId[], wanted: readonly ChannelId[]) =>
  channels.length === wanted.length && wanted.every((one) => channels.includes(one))

/** The choice that says exactly what is stored; `own` where none does: that stays in force until its person chooses. */
export function ringingOf({ enabled, channels }: Readonly<Bell>): Ringing | 'own' {
  if (!enabled) return 'off'
  if (channels === null || isSame(channels, CHANNELS)) return 'ring'
  return isSame(channels, SILENT) ? 'quiet' : 'own'
}

/** What a choice stores. Off keeps the channels, so that the bell turned on again is what it was. */
export function bellFor(choice: Ringing): Partial<Bell> {
  if (choice === 'off') return { enabled: false }
  return { enabled: true, channels: choice === 'ring' ? null : [...SILENT] }
}
