// Why a notification did not come, step by step: what is known of each step, and what mends it. Nothing is asked here.
import type { ChannelId } from '#contract/channels.ts'
import type {
  NotificationChannel,
  NotificationDelivery,
  NotificationSetting,
} from '#contract/notification.ts'
import type { Strategy } from '#contract/strategy.ts'
import type { PushState } from '#data/nouns/push.ts'
import type { ConnectionState } from '#state/connection.ts'
import { closed, whyText } from '#text/delivery.ts'
import { joined } from '#text/joined.ts'
import { CHANNEL_STATE_WORDS, CHANNEL_WORDS, channelNames } from '#text/notification.ts'
import { mdHm, taipei, ymd } from '#text/time.ts'
import { quietUntil } from '#trading/silence.ts'
import { muteText, usedUpText } from '../setting/channel.ts'
import { pathText } from '../setting/words.ts'
import type { Check, Mend } from './check.ts'
import { at, SETTING } from './links.ts'
import { ofPush } from './of-push.ts'
import { besidePush, type Ground, reachOf, readyOf, turns, ways } from './of-ways.ts'

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
      note: `只通知${my_notify.actions === 'opening' ? '進場' : '出場'}，其他訊號不會響。`,
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
    channel === 'email' && state === 'none' && kinds.signal.email
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
  const out = deliveries.filter(({ channel }) => channel !== 'in_app')
  const [wrong] = out.filter(({ state }) => state === 'dead' || state === 'unconfirmed')
  const mend = { do: 'open', href: '/signal-notification?tab=deliveries', label: '看發送紀錄' } as const
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
