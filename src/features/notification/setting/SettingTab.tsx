/* 設定: channels, what goes where, each strategy, quiet hours; every change at once, also offline. */

import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  CHANNELS,
  type ChannelId,
  connectedBy,
  isInside,
  isProgram,
  RINGINGS,
  type Ringing,
  reachesPerson,
  ringingOf,
} from '#contract/channels.ts'
import type { NotificationChannel, NotificationSetting } from '#contract/notification.ts'
import type { Strategy } from '#contract/strategy.ts'
import { channelQueries } from '#data/nouns/notification-setting.ts'
import { coveredBells } from '#data/nouns/strategy.ts'
import { Stale } from '#screen/Connection.tsx'
import { CoveredBell, CoveredNote } from '#screen/CoveredBell.tsx'
import { useCtx } from '#screen/data.tsx'
import { ReadFailure } from '#screen/Elsewhere.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { useOutbox } from '#screen/outbox.ts'
import { StrategyNotify } from '#screen/StrategyNotify.tsx'
import { useRinging } from '#screen/use-notify.ts'
import { joined } from '#text/format.ts'
import { CHANNEL_WORDS, ownText, PRIVACY_WORDS, RINGING_WORDS, refinedText } from '#text/notification.ts'
import { serverNow } from '#text/now.ts'
import { when } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Card, Sides } from '#ui/Card.tsx'
import { FailState } from '#ui/EmptyState.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { cx } from '#ui/open.ts'
import { Segments } from '#ui/Segments.tsx'
import { Switch } from '#ui/Switch.tsx'
import { Tag } from '#ui/Tag.tsx'
import { SearchField, TextField } from '#ui/TextField.tsx'
import { Waiting } from '../Parts.tsx'
import { Advanced } from './Advanced.tsx'
import { ChannelSheet } from './ChannelSheet.tsx'
import css from './SettingTab.module.css'
import { type SettingCard, useListedStrategy, useSetting, useStrategies } from './use-setting.ts'
import {
  CHANNEL_ABOUT,
  CHANNEL_ICON,
  CONNECT_WORDS,
  DAY_WORDS,
  daysText,
  isStopped,
  leftText,
  muteText,
  pathText,
  stateTag,
  valueText,
} from './words.ts'

export function SettingTab() {
  const { asked, setting, covered, change } = useSetting()
  const channels = useQuery(channelQueries.list())
  const listed = useStrategies()
  const { id, channel } = useSearch({ from: '/_shell/signal-notification' })
  const navigate = useNavigate()
  // what is open stands in the address: Back closes it, and a link can lead there
  const show = (what: { id?: string; channel?: string }) =>
    void navigate({
      to: '/signal-notification',
      search: { tab: 'setting', ...what },
      resetScroll: false,
      replace: Object.keys(what).length === 0,
    })
  if (!setting || !channels.data) {
    const failed = [asked, channels].filter((one) => !one.data && one.error)
    const again = () => {
      for (const { refetch } of failed) void refetch()
    }
    return failed[0] ? (
      <FailState
        card
        title="讀不到通知設定"
        busy={failed.some(({ isFetching }) => isFetching)}
        onRetry={again}
      >
        {failureSentence(failed[0].error)}
      </FailState>
    ) : (
      <Sides>
        <Waiting label="通知設定載入中" titled />
        <Waiting titled />
      </Sides>
    )
  }
  const card = { setting, change }
  return (
    <>
      {(asked.error || channels.error) && (
        <Stale at={Math.min(asked.dataUpdatedAt, channels.dataUpdatedAt)} />
      )}
      <CoveredNote
        covered={covered}
        name={({ path }) => `「${pathText(path)}」`}
        text={({ path, value }) => valueText(path, value)}
        onBack={({ path, value }, edited_at) =>
          change({ [path]: value, edited_at }, joined('還原', pathText(path)))
        }
      />
      <CoveredBells strategies={listed.all} />
      <Sides>
        <div className="stack">
          <ChannelsCard {...card} channels={channels.data} onOpen={(one) => show({ channel: one })} />
          <QuietCard {...card} />
          <Advanced {...card} channels={channels.data} />
        </div>
        <StrategiesCard listed={listed} onOpen={(one) => show({ id: one })} />
      </Sides>
      <ChannelSheet
        {...card}
        channels={channels.data}
        open={CHANNELS.find((one) => one === channel) ?? null}
        onClose={() => show({})}
      />
      <StrategySheet id={id ?? null} strategies={listed.strategies} onClose={() => show({})} />
    </>
  )
}

/* 通道: each with its state, last success and switch; a press opens what can be done with it, where something can. */

export function ChannelsCard({
  setting,
  change,
  channels,
  onOpen,
}: SettingCard & { channels: readonly NotificationChannel[]; onOpen: (channel: ChannelId) => void }) {
  const switched = (one: NotificationChannel) => isConnected(one) || !setting.channels[one.channel]
  return (
    <Card title="通道" flush>
      <ul>
        {channels.map((one) => {
          const opens = !isInside(one.channel) && one.state !== 'none'
          return (
            <SwitchRow
              key={one.channel}
              tall
              before={<Icon name={CHANNEL_ICON[one.channel]} size={20} className="ink3" />}
              name={<ChannelName one={one} />}
              note={<ChannelNote one={one} setting={setting} />}
              onOpen={opens ? () => onOpen(one.channel) : undefined}
              verb={!switched(one) && connectWord(one)}
              control={
                opens &&
                switched(one) && (
                  <Switch
                    hideLabel
                    label={joined('用', CHANNEL_WORDS[one.channel], '通知我')}
                    checked={setting.channels[one.channel]}
                    onChange={(on) => change({ [`channels.${one.channel}`]: on }, CHANNEL_WORDS[one.channel])}
                  />
                )
              }
            />
          )
        })}
      </ul>
    </Card>
  )
}

/** A switch that stands on beside what reaches nobody would promise what is not there: the row leads to connecting it. */
const connectWord = (one: NotificationChannel): string => {
  const { channel, state } = one
  if (state === 'pending') return '繼續'
  if (isProgram(channel) && isStopped(one)) return '重新啟用'
  return CONNECT_WORDS[channel]
}
const isConnected = ({ state }: NotificationChannel) => state !== 'off' && state !== 'pending'

function ChannelName({ one }: { one: NotificationChannel }) {
  const muted = muteText(one.config)
  return (
    <span className="row gap8 wrap">
      <b>{CHANNEL_WORDS[one.channel]}</b>
      <Tag {...stateTag(one)} />
      {one.state === 'bound' && one.config.left_this_month === 0 && (
        <Tag tone="warn" icon="warning">
          本月用完
        </Tag>
      )}
      {muted && (
        <Tag tone="neutral" icon="bell-off">
          {muted}
        </Tag>
      )}
    </span>
  )
}

function ChannelNote({ one, setting }: { one: NotificationChannel; setting: NotificationSetting }) {
  return (
    <small className={css.channelsCardNote}>
      <span className={css.parts}>
        {noteOf(one, setting.privacy[one.channel]).map((part, at) => (
          <span key={part} className={cx(css.part, at > 0 && 'nowrap')}>
            {at > 0 && <span className={css.dot}> · </span>}
            {part}
          </span>
        ))}
      </span>
    </small>
  )
}

/** Why it does not work, or who it is and when it last worked, or what it is for. */
function noteOf(one: NotificationChannel, privacy: keyof typeof PRIVACY_WORDS): string[] {
  if (one.state === 'none')
    return [(connectedBy(one.channel) === 'mailbox' && one.reason) || CHANNEL_ABOUT[one.channel]]
  if (one.reason && one.state !== 'bound') return [one.reason]
  const parts = [
    one.name ?? '',
    one.last_ok_at ? `最後成功 ${when(one.last_ok_at, serverNow())}` : '',
    // who is not connected reads what it is for
    isConnected(one) ? leftText(one.config) : '',
    one.config.strategies ? `只送 ${one.config.strategies.length} 個策略` : '',
    reachesPerson(one.channel) && one.state === 'bound' && privacy !== 'full' ? PRIVACY_WORDS[privacy] : '',
  ].filter(Boolean)
  return parts.length > 0 ? parts : [CHANNEL_ABOUT[one.channel]]
}

/* 勿擾時段: from, to and on which days; exits may pass, what is important always does. */

/** The platform's field tells of every digit: the time is taken when it is left. */
function Time({ label, value, onSet }: { label: string; value: string; onSet: (value: string) => void }) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextField
      label={label}
      type="time"
      value={typed ?? value}
      onChange={setTyped}
      onBlur={() => {
        if (typed && typed !== value) onSet(typed)
        setTyped(null)
      }}
    />
  )
}

export function QuietCard({ setting, change }: SettingCard) {
  const { enabled, from, to, days, exits_pass } = setting.quiet_hours
  const turn = (day: number) => {
    const next = days.includes(day) ? days.filter((one) => one !== day) : [...days, day]
    change({ 'quiet_hours.days': next.toSorted((a, b) => a - b) }, pathText('quiet_hours.days'))
  }
  const over = to <= from
  return (
    <Card title="勿擾時段" pad>
      <Switch
        label="這段時間不打擾我"
        note="這段時間不響，結束後一次告訴你"
        checked={enabled}
        onChange={(on) => change({ 'quiet_hours.enabled': on }, pathText('quiet_hours.enabled'))}
      />
      {enabled && (
        <>
          <div className={css.times}>
            <Time
              label="開始"
              value={from}
              onSet={(at) => change({ 'quiet_hours.from': at }, pathText('quiet_hours.from'))}
            />
            <Time
              label={over ? '結束（隔天）' : '結束'}
              value={to}
              onSet={(at) => change({ 'quiet_hours.to': at }, pathText('quiet_hours.to'))}
            />
          </div>
          <fieldset className={css.days}>
            <legend>從哪幾天開始：{daysText(days)}</legend>
            <div>
              {DAY_WORDS.map((word, at) => (
                <button
                  key={word}
                  type="button"
                  className={cx(days.includes(at + 1) && css.on)}
                  aria-pressed={days.includes(at + 1)}
                  aria-label={`週${word}`}
                  onClick={() => turn(at + 1)}
                >
                  {word}
                </button>
              ))}
            </div>
          </fieldset>
          <Switch
            label="出場訊號照樣通知"
            note="平倉、停損不等到時段結束"
            checked={exits_pass}
            onChange={(on) => change({ 'quiet_hours.exits_pass': on }, pathText('quiet_hours.exits_pass'))}
          />
          <p className="t13 ink3">標為「重要」的策略，任何時候都通知。</p>
        </>
      )}
    </Card>
  )
}

/* 各策略: 響, 安靜收下 or 關 for each; the name opens what else can be chosen. */

/** 自訂：只走推播 · 只出場: what the three do not say. */
const besidesText = (my_notify: Strategy['my_notify']): string =>
  [ringingOf(my_notify) === 'own' ? `自訂：${ownText(my_notify)}` : '', refinedText(my_notify)]
    .filter(Boolean)
    .join(' · ')

const CHOICES = RINGINGS.map((value) => ({ value, label: RINGING_WORDS[value] }))

export function StrategiesCard({
  listed,
  onOpen,
}: {
  listed: ReturnType<typeof useStrategies>
  onOpen: (id: string) => void
}) {
  const { go } = useGo()
  const { name, strategies, total, more, list, box, others } = listed
  const failed = list.error && !list.data
  // what comes under the list, or beside its count, comes with it
  const elsewhere = list.isPending ? [] : others
  return (
    <Card
      title="各策略"
      {...(total > 0 && { count: total })}
      {...(elsewhere.length > 0 && { remark: <span className="t13 ink3 el">{name}</span> })}
      flush
    >
      {box && (
        <div className={css.search}>
          <SearchField label="搜尋策略" placeholder="策略名稱或標籤" {...box} />
        </div>
      )}
      <ul>
        {strategies.map((strategy) => (
          <StrategyRow key={strategy.id} strategy={strategy} onOpen={onOpen} />
        ))}
      </ul>
      {more && <p className={css.strategiesCardNone}>還有更多策略，用搜尋找得到。</p>}
      {failed && (
        <FailState row title="讀不到策略" onRetry={() => void list.refetch()} busy={list.isFetching}>
          {failureSentence(list.error)}
        </FailState>
      )}
      {strategies.length === 0 && !failed && (
        <p className={css.strategiesCardNone} role="status">
          {list.isPending
            ? '策略載入中…'
            : box
              ? '沒有符合的策略。'
              : '還沒有策略。建立或加入之後，每一個都能在這裡單獨設定。'}
        </p>
      )}
      {elsewhere.length > 0 && (
        <div className={css.others}>
          <span className="t13 ink3">其他身份的策略：</span>
          {elsewhere.map((one) => (
            <Button
              key={one.id}
              size="s"
              icon="swap"
              {...go(`/signal-notification?tab=setting&org=${one.id}`)}
            >
              {one.name}
            </Button>
          ))}
        </div>
      )}
    </Card>
  )
}

function StrategyRow({ strategy, onOpen }: { strategy: Strategy; onOpen: (id: string) => void }) {
  const ring = useRinging()
  const { my_notify, name, id } = strategy
  const stands = ringingOf(my_notify)
  const besides = stands === 'off' ? '' : besidesText(my_notify)
  return (
    <SwitchRow
      name={<b>{name}</b>}
      note={besides && <small>{besides}</small>}
      onOpen={() => onOpen(id)}
      choice={
        <Segments<Ringing | 'own'>
          label={`「${name}」有訊號時`}
          value={stands}
          onChange={(choice) => choice !== 'own' && ring(strategy, choice)}
          options={CHOICES}
        />
      }
    />
  )
}

/* One strategy's row of 設定, opened: how I am told of it, and the ways to it. */

/** `id` null: closed. One that no list holds is asked for by itself. */
export function StrategySheet({
  id,
  strategies,
  onClose,
}: {
  id: string | null
  strategies: readonly Strategy[]
  onClose: () => void
}) {
  const { go } = useGo()
  const { strategy: found, asked } = useListedStrategy(id, strategies)
  return (
    <Sheet
      open={id !== null}
      onClose={onClose}
      title={found?.name ?? '策略的通知'}
      foot={
        found && (
          <>
            <Button {...go(`/strategies/${found.id}`)}>打開策略</Button>
            <Button {...go(`/signal-notification?tab=why&id=${found.id}`)}>為什麼沒收到</Button>
          </>
        )
      }
    >
      {found ? (
        <StrategyNotify strategy={found} />
      ) : asked.isLoading ? (
        <Waiting label="策略的通知載入中" />
      ) : (
        id !== null && (
          <ReadFailure
            error={asked.error}
            what="這個策略"
            busy={asked.isFetching}
            onRetry={() => void asked.refetch()}
          >
            {asked.error ? failureSentence(asked.error) : '連線後再看一次。'}
          </ReadFailure>
        )
      )}
    </Sheet>
  )
}

/* The strategies of this identity whose bell another device's later edit covered, one under the other. */

export function CoveredBells({ strategies }: { strategies: readonly Strategy[] }) {
  return coveredBells(useOutbox(), useCtx()).map((id) => <One key={id} id={id} strategies={strategies} />)
}

function One({ id, strategies }: { id: string; strategies: readonly Strategy[] }) {
  const { strategy } = useListedStrategy(id, strategies)
  return strategy && <CoveredBell strategy={strategy} />
}

/* A row of a setting that opens, with the switch that stands beside what it says. */

/** `onOpen` absent: nothing opens. `before` stands at the left, `verb` before the arrow, `control` beside all of it. */
export type SwitchRowProps = {
  name: ReactNode
  note: ReactNode
  before?: ReactNode
  verb?: ReactNode
  control?: ReactNode
  /** In place of `control`, where it is wider: under the words where there is no room beside them. */
  choice?: ReactNode
  onOpen?: (() => void) | undefined
  /** With more room above and below. */
  tall?: boolean
}

export function SwitchRow({
  name,
  note,
  before,
  verb,
  control,
  choice,
  onOpen,
  tall = false,
}: SwitchRowProps) {
  const main = cx(css.main, tall && css.tall)
  const said = (
    <>
      {before}
      <span className={css.words}>
        {name}
        {note}
      </span>
    </>
  )
  return (
    <li className={cx(css.row, choice !== undefined && css.choosing)}>
      {onOpen ? (
        <button type="button" className={main} aria-haspopup="dialog" onClick={onOpen}>
          {said}
          {verb && <span className={css.verb}>{verb}</span>}
          <Icon name="chevron-right" size={16} className="ink3" />
        </button>
      ) : (
        <div className={main}>{said}</div>
      )}
      {control && <span className={css.switchRowKey}>{control}</span>}
      {choice && <span className={css.choice}>{choice}</span>}
    </li>
  )
}
