// Why a notification did not come, step by step: what is known of each step, and what mends it. Nothing is asked here.
import {
  type ChannelId,
  connectedBy,
  isInside,
  isProgram,
  reachesPerson,
  ringingOf,
} from '#contract/channels.ts'
import type {
  NotificationChannel,
  NotificationDelivery,
  NotificationSetting,
} from '#contract/notification.ts'
import type { Strategy } from '#contract/strategy.ts'
import type { SettingChanges } from '#data/nouns/notification-setting.ts'
import type { PushState } from '#data/nouns/push.ts'
import type { ConnectionState } from '#state/app.ts'
import { closed, whyText } from '#text/delivery.ts'
import { joined } from '#text/format.ts'
import {
  ACTION_WORDS,
  CHANNEL_STATE_WORDS,
  CHANNEL_WORDS,
  channelNames,
  PUSH_TEXT,
} from '#text/notification.ts'
import { mdHm, taipei, ymd } from '#text/time.ts'
import { quietUntil } from '#trading/silence.ts'
import { muteText, pathText, usedUpText } from '../setting/words.ts'

/** What the device knows; undefined while it is not known. `now` ISO; `strategy` the one that is asked about, null for none. */
export interface DeviceKnown {
  now: string
  connection: ConnectionState
  /** Answers are on their way. */
  asking: boolean
  push: PushState
  setting: NotificationSetting | undefined
  channels: readonly NotificationChannel[] | undefined
  deliveries: readonly NotificationDelivery[] | undefined
  strategy: Strategy | null
  /** How many there are, and the names of those whose bell is off. */
  strategies: number | undefined
  silent: readonly string[] | undefined
  /** The person's other identities: their strategies are looked at in their name only. */
  others: readonly { id: string; name: string }[]
}

export function checks(known: DeviceKnown): Check[] {
  const { setting, channels, strategy, now } = known
  const ground = setting && channels && { setting, channels, strategy, now }
  const unknown = { state: 'unknown', unread: true, note: unreadNote(known) } as const
  return [
    { key: 'server', title: '和伺服器的連線', ...SERVER[known.connection] },
    ...ofStrategy(known, ground),
    ground ? ways(ground) : { key: 'ways', title: '訊號送到哪裡', ...unknown },
    ...(ground ? turns(ground) : []),
    setting ? quiet(setting, known) : { key: 'quiet', title: '勿擾時段', ...unknown },
    ofPush(known.push, ground ? besidePush(ground) : null),
    ...(ground ? [...health(ground), ...usedUp(ground), ...silenced(ground)] : []),
    known.deliveries ? last(known.deliveries) : { key: 'last', title: '最近的發送', ...unknown },
  ]
}

const SERVER: Record<ConnectionState, Omit<Check, 'key' | 'title'>> = {
  online: { state: 'ok', note: '連得上，收到就會立刻出現。' },
  reconnecting: { state: 'unknown', note: '正在連線…' },
  offline: {
    state: 'warn',
    note: '這支裝置目前連不到伺服器，以下是上次知道的；伺服器照常通知。',
  },
}
const unreadNote = ({ asking, connection }: DeviceKnown): string => {
  if (asking) return '正在看…'
  return connection === 'offline' ? '還讀不到，連線後再看一次。' : '這一步讀不到，再看一次就知道。'
}

const ALL_ON = { state: 'ok', note: '沒有被關掉的策略。' } as const
const noStrategy = ([other]: DeviceKnown['others']): Pick<Check, 'state' | 'note' | 'mend'> =>
  other
    ? {
        state: 'aside',
        note: '這個身份還沒有策略；其他身份的，切換過去再看。',
        mend: {
          do: 'open',
          href: `/signal-notification?tab=why&org=${other.id}`,
          label: joined('看', other.name),
        },
      }
    : {
        state: 'warn',
        note: '這個身份還沒有策略，沒有訊號可以通知。',
        mend: { do: 'open', href: '/strategies', label: '看策略' },
      }
function ofStrategy(known: DeviceKnown, ground: Ground | undefined): Check[] {
  const { strategy, silent, now } = known
  if (!strategy && !silent)
    return [{ key: 'bells', state: 'unknown', unread: true, title: '各策略的通知', note: unreadNote(known) }]
  if (!strategy)
    return [
      !silent || silent.length === 0
        ? {
            key: 'bells',
            title: '各策略的通知',
            ...(known.strategies === 0 ? noStrategy(known.others) : ALL_ON),
          }
        : {
            key: 'bells',
            state: 'warn',
            title: '各策略的通知',
            note: `關著：${silent.slice(0, 5).join('、')}${silent.length > 5 ? ` 等 ${silent.length} 個` : ''}。`,
            mend: { do: 'open', href: SETTING, label: '看各策略' },
          },
    ]
  const { my_notify, status, access, last_signal, warnings } = strategy
  const page = { do: 'open', href: `/strategies/${strategy.id}`, label: '打開策略' } as const
  const today = taipei(now).day
  const found: Check[] = [
    last_signal
      ? warnings.includes('silent')
        ? {
            key: 'signal',
            state: 'warn',
            title: '訊號有進來',
            note: `太久沒收到，最近一筆 ${mdHm(last_signal.received_at)}。請確認來源平台的快訊還在執行。`,
            mend: page,
          }
        : {
            key: 'signal',
            state: 'ok',
            title: '訊號有進來',
            note: `最近一筆 ${mdHm(last_signal.received_at)} 收到。`,
          }
      : {
          key: 'signal',
          state: 'bad',
          title: '訊號有進來',
          note: '這個策略還沒有收過訊號，所以沒有東西可以通知。',
          mend: page,
        },
  ]
  if (status !== 'active')
    found.push({
      key: 'status',
      state: 'bad',
      title: '策略啟用中',
      note: status === 'paused' ? '已暫停：訊號照常記錄，不通知任何人。' : '已封存：不再收訊號。',
      mend: page,
    })
  if (access)
    found.push(
      access.visible_from > today || (access.valid_until !== null && access.valid_until < today)
        ? {
            key: 'access',
            state: 'bad',
            title: '你看得到這個策略的日子',
            note: `${ymd(access.visible_from)} 起${access.valid_until ? `到 ${ymd(access.valid_until)}` : ''}，今天不在裡面。請找組織的管理者。`,
          }
        : {
            key: 'access',
            state: 'ok',
            title: '你看得到這個策略的日子',
            note: access.valid_until ? `到 ${ymd(access.valid_until)} 為止。` : '沒有期限。',
          },
    )
  if (!my_notify.enabled)
    found.push({
      key: 'bell',
      state: 'bad',
      title: '這個策略的通知',
      note: '關著，打開才會通知。',
      mend: { do: 'strategy', changes: { enabled: true }, label: '打開' },
    })
  else if (ringingOf(my_notify) === 'quiet')
    found.push({
      key: 'bell',
      state: 'bad',
      title: '這個策略的通知',
      note: '安靜收下：只放進收件匣，不響。',
      mend: { do: 'strategy', changes: { channels: null }, label: '改成響' },
    })
  else if (ground && my_notify.channels && readyOf(ground, strategy).length === 0)
    found.push({
      key: 'bell',
      state: 'bad',
      title: '這個策略的通道',
      note:
        my_notify.channels?.length === 0
          ? '沒有選任何通道。'
          : `${joined('只選了', channelNames(my_notify.channels))}，沒有一個現在送得到裝置。`,
      mend: { do: 'strategy', changes: { channels: null }, label: '用全部通道' },
    })
  else if (my_notify.actions !== 'all')
    found.push({
      key: 'bell',
      state: 'warn',
      title: '這個策略的通知',
      note: `${ACTION_WORDS[my_notify.actions]}，其他訊號不會響。`,
      mend: { do: 'strategy', changes: { actions: 'all' }, label: '通知全部訊號' },
    })
  else found.push({ key: 'bell', state: 'ok', title: '這個策略的通知', note: '開著，全部訊號都通知。' })
  return found
}

function quiet({ quiet_hours }: NotificationSetting, { now, strategy }: DeviceKnown): Check {
  const until = quietUntil(quiet_hours, now)
  const title = '勿擾時段'
  if (until === null)
    return {
      key: 'quiet',
      state: 'ok',
      title,
      note: quiet_hours.enabled ? `現在不是（${quiet_hours.from} 到 ${quiet_hours.to}）。` : '沒有開。',
    }
  if (strategy?.my_notify.important)
    return { key: 'quiet', state: 'ok', title, note: '現在是勿擾時段，但這個策略標為重要，照樣通知。' }
  // who wants exits only, which pass, misses nothing
  const passes = quiet_hours.exits_pass && strategy?.my_notify.actions === 'closing'
  return {
    key: 'quiet',
    state: passes ? 'ok' : 'bad',
    title,
    note: `現在是勿擾時段，到 ${mdHm(until)} 為止${quiet_hours.exits_pass ? '，只有出場會響' : ''}；之後一次告訴你。`,
    mend: {
      do: 'setting',
      changes: { 'quiet_hours.enabled': false },
      name: pathText('quiet_hours.enabled'),
      label: '關掉勿擾',
    },
  }
}

/** A channel that sends nothing now is the reason where nothing else does; where another one rings, it may be. */
const stops = (ground: Ground, id: ChannelId): Check['state'] =>
  reachOf(ground).length === 0 && readyOf(ground, ground.strategy).some(({ channel }) => channel === id)
    ? 'bad'
    : 'warn'

/** The month's messages of a channel that is meant to be used have come to an end. */
function usedUp(ground: Ground): Check[] {
  return ground.channels
    .filter(
      ({ channel, state, config }) =>
        ground.setting.channels[channel] && state === 'bound' && config.left_this_month === 0,
    )
    .map(({ channel, config }) => ({
      key: `left ${channel}`,
      state: stops(ground, channel),
      title: joined(CHANNEL_WORDS[channel], '本月的則數'),
      note: closed(usedUpText(config)),
      mend: { do: 'open', href: at(channel), label: '看通道' },
    }))
}

/** Channels that are meant to be used: each that does not work, by name. */
function health({ setting: { channels: on, kinds }, channels }: Ground): Check[] {
  // what a server does not have is news only where somebody asked for it: mail of signals is off until then
  const missed = ({ channel, state }: NotificationChannel) =>
    connectedBy(channel) === 'mailbox' && state === 'none' && kinds.signal[channel]
  return channels
    .filter((one) => on[one.channel] && (/^(pending|blocked|failing)$/.test(one.state) || missed(one)))
    .map(
      ({ channel, state, reason }): Check => ({
        key: `health ${channel}`,
        state: 'bad',
        title: joined(CHANNEL_WORDS[channel], '的連線'),
        note: closed(reason ?? CHANNEL_STATE_WORDS[state]),
        mend: { do: 'open', href: at(channel), label: '去處理' },
      }),
    )
}

/** Told to be silent for a while, in the chat itself. */
function silenced(ground: Ground): Check[] {
  return ground.channels.flatMap(({ channel, config }): Check[] => {
    const text = muteText(config, Date.parse(ground.now))
    const mend: Mend = { do: 'open', href: at(channel), label: '去解除' }
    const title = joined(CHANNEL_WORDS[channel], '的靜音')
    return text === ''
      ? []
      : [{ key: `mute ${channel}`, state: stops(ground, channel), title, note: `${text}。`, mend }]
  })
}

function last(deliveries: readonly NotificationDelivery[]): Check {
  const title = '最近的發送'
  const out = deliveries.filter(({ channel }) => !isInside(channel))
  const [wrong] = out.filter(({ state }) => state === 'dead' || state === 'unconfirmed')
  const mend = { do: 'open', href: '/signal-notification?tab=why#sent', label: '看發送紀錄' } as const
  // what only waits behind another channel, or was not needed, was not sent
  const newest = out.find(({ state }) => state !== 'skipped' && state !== 'planned') ?? out[0]
  if (!newest) return { key: 'last', state: 'unknown', title, note: '還沒有發送過。' }
  if (!wrong)
    return {
      key: 'last',
      state: 'ok',
      title,
      note: `最近一次 ${mdHm(newest.created_at)}，${CHANNEL_WORDS[newest.channel]}。`,
      mend,
    }
  return {
    key: 'last',
    state: 'warn',
    title,
    note: `${joined(
      `${mdHm(wrong.created_at)} 的`,
      CHANNEL_WORDS[wrong.channel],
      wrong.state === 'dead' ? '沒有送到' : '沒有裝置確認',
    )}：${whyText(wrong)}`,
    mend,
  }
}

// One step of 為什麼沒收到: how it stands, and what mends it.

/** What decides whether something rings, from the signal to the hand. */
export const LAYERS = ['strategy', 'quiet', 'channels', 'device'] as const
export type Layer = (typeof LAYERS)[number]
export const LAYER_WORDS: Record<Layer, string> = {
  strategy: '策略',
  quiet: '勿擾時段',
  channels: '通道',
  device: '這支裝置',
}
const LAYER_OF: Record<string, Layer> = {
  ...{ bells: 'strategy', signal: 'strategy', status: 'strategy', access: 'strategy', bell: 'strategy' },
  ...{ quiet: 'quiet', push: 'device', server: 'device' },
}
const WORST = ['bad', 'warn', 'unknown', 'ok', 'aside'] as const

/** The steps under the four that a person sets, each as it stands by the worst of its own. */
export function inLayers(steps: readonly Check[]) {
  const found = Map.groupBy(steps, ({ key }) => LAYER_OF[key] ?? 'channels')
  return LAYERS.flatMap((layer) => {
    const own = found.get(layer) ?? []
    const state = WORST.find((one) => own.some((step) => step.state === one))
    return state ? [{ layer, title: LAYER_WORDS[layer], state, steps: own }] : []
  })
}

/** What a button does about it; `open` leads to an address. */
export type Mend =
  | { do: 'open'; href: string; label: string }
  | { do: 'setting'; changes: SettingChanges; name: string; label: string }
  | { do: 'strategy'; changes: { enabled?: true; actions?: 'all'; channels?: null }; label: string }
  | { do: 'push'; label: string }
export interface Check {
  key: string
  /** `bad` stops notifications, `warn` may, `ok` does not; `aside` is off where something else rings; `unknown` cannot be told now. */
  state: 'ok' | 'warn' | 'bad' | 'aside' | 'unknown'
  title: string
  note: string
  /** What it would be judged by is not here. */
  unread?: true
  mend?: Mend
}

// Where the buttons of 為什麼沒收到 lead: the settings, and a channel opened in them.

export const SETTING = '/signal-notification?tab=setting'
export const at = (channel: ChannelId): string => `${SETTING}&channel=${channel}`

// How pushes on this device stand, as a step of 為什麼沒收到, and what mends it.

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

// Where signals go, as steps of 為什麼沒收到: which channels, which of them waits for another, and which can send nothing now.

/** What a person's signals go by. `strategy` the one that is asked about. */
export interface Ground {
  setting: NotificationSetting
  channels: readonly NotificationChannel[]
  strategy: Strategy | null
  now: string
}

/** Bound channels that ring somewhere: a program's address rings on nobody's phone. */
const boundOf = (channels: readonly NotificationChannel[]) =>
  channels.filter(({ channel, state }) => reachesPerson(channel) && state === 'bound')
const idsOf = (channels: readonly NotificationChannel[]) => channels.map(({ channel }) => channel)

/** Bound and meant for signals, or for those of one strategy. */
export function readyOf(
  { setting, channels }: Pick<Ground, 'setting' | 'channels'>,
  strategy: Strategy | null = null,
): NotificationChannel[] {
  const chosen = strategy?.my_notify.channels
  return boundOf(channels).filter(
    ({ channel, config: { strategies } }) =>
      setting.channels[channel] &&
      setting.kinds.signal[channel] &&
      (!chosen || chosen.includes(channel)) &&
      (!strategy || !strategies || strategies.includes(strategy.id)),
  )
}

/** Every chat of it is told to be silent. Several chats stand in one name. */
const isSilent = ({ name, config: { muted = [] } }: NotificationChannel, now: string): boolean =>
  muted.filter(({ until }) => until > now).length >= (name ?? '').split('、').length

/** Of these, which send something now. */
const openOf = (ready: readonly NotificationChannel[], now: string) =>
  ready.filter((one) => one.config.left_this_month !== 0 && !isSilent(one, now))

/** Those that a signal of the strategy reaches now. */
export const reachOf = (ground: Ground) => openOf(readyOf(ground, ground.strategy), ground.now)

/** Besides pushes, those that ring at once: they come first in the order, or stand in none. */
export function besidePush(ground: Ground): ChannelId[] {
  const { order } = ground.setting.fallback
  const open = idsOf(reachOf(ground))
  const first = order.find((one) => open.includes(one))
  return open.filter((one) => connectedBy(one) !== 'device' && (one === first || !order.includes(one)))
}

/** Channels of which one waits for the other. */
export function turns(ground: Ground): Check[] {
  const { order, after_s } = ground.setting.fallback
  const open = idsOf(reachOf(ground))
  const [first, ...rest] = order.filter((one) => open.includes(one))
  if (first === undefined || rest.length === 0) return []
  const later = joined(
    `，${after_s} 秒內沒有確認送到才輪到`,
    channelNames(rest),
    '；送到或打開過，後面就不響。',
  )
  return [
    {
      key: 'order',
      // it stops nothing: one of them rings
      state: 'ok',
      title: '依序通知',
      note: joined('先用', CHANNEL_WORDS[first], later),
      mend: {
        do: 'setting',
        changes: { 'fallback.order': [] },
        name: pathText('fallback.order'),
        label: '同時送出',
      },
    },
  ]
}

export function ways({ setting, channels, now }: Ground): Check {
  const title = '訊號送到哪裡'
  const bound = idsOf(boundOf(channels))
  const ready = readyOf({ setting, channels })
  const open = openOf(ready, now)
  if (open.length > 0) return { key: 'ways', state: 'ok', title, note: `${channelNames(idsOf(open))}。` }
  // what stops them is a step of its own
  if (ready.length > 0)
    return { key: 'ways', state: 'warn', title, note: `${channelNames(idsOf(ready))}，現在都送不出去。` }
  const [first] = bound
  if (first === undefined)
    return {
      key: 'ways',
      state: 'bad',
      title,
      note: channels.some(({ channel, state }) => isProgram(channel) && state === 'bound')
        ? '只連結了外送 Webhook：那是給程式的，不會讓手機響。'
        : '還沒有連結任何通道，只看得到站內的通知。',
      mend: { do: 'open', href: SETTING, label: '連結通道' },
    }
  return {
    key: 'ways',
    state: 'bad',
    title,
    note: `${joined('已連結', channelNames(bound))}，但是都關著，或「訊號」那一欄沒有勾。`,
    mend: {
      do: 'setting',
      changes: { [`channels.${first}`]: true, [`kinds.signal.${first}`]: true },
      name: CHANNEL_WORDS[first],
      label: joined('用', CHANNEL_WORDS[first], '通知訊號'),
    },
  }
}

// What all steps of 為什麼沒收到 say together, in one sentence.

export function conclusion(steps: readonly Check[], asking: boolean): string {
  const count = (state: Check['state']) => steps.filter((one) => one.state === state).length
  const unread = steps.filter((one) => one.unread).length
  const [wrong, doubtful] = [count('bad'), count('warn')]
  if (asking) return '正在一步一步看…'
  const found = wrong > 0 ? `${wrong} 個原因` : doubtful > 0 ? `${doubtful} 個可能的原因` : ''
  if (found) return `找到 ${found}。${unread > 0 ? `另有 ${unread} 步讀不到。` : ''}`
  if (unread > 0) return `有 ${unread} 步讀不到，其他的沒有擋住通知。`
  return '每一步都檢查過，沒有東西擋住通知。'
}
