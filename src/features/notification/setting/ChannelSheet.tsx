/* One channel: how it stands, connecting or leaving it, trying it, and how much of a notification is said there. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import {
  type AddressedChannel,
  type BoundChannel,
  type ChannelId,
  type ChannelState,
  connectedBy,
  isAddressed,
  isBound,
  isProgram,
  PRIVACY_LEVELS,
  reachesPerson,
} from '#contract/channels.ts'
import type { ChannelBinding, NotificationChannel } from '#contract/notification.ts'
import { channelMutations, channelQueries } from '#data/nouns/notification-setting.ts'
import { Ask } from '#screen/Ask.tsx'
import { failureSentence, refusedFields } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { PushDevices, PushHere } from '#screen/PushDevices.tsx'
import { Refused } from '#screen/Refused.tsx'
import { toast } from '#screen/toast.ts'
import { closed } from '#text/delivery.ts'
import { joined, number } from '#text/format.ts'
import { CHANNEL_WORDS, PRIVACY_WORDS } from '#text/notification.ts'
import { serverNow } from '#text/now.ts'
import { hm, latency, when } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox, Choices } from '#ui/Checkbox.tsx'
import { CodeBlock } from '#ui/CodeBlock.tsx'
import { Banner, FailState } from '#ui/EmptyState.tsx'
import { KeyValues } from '#ui/Figures.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Sheet } from '#ui/Modal.tsx'
import { QrCode } from '#ui/QrCode.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Bone } from '#ui/Skeleton.tsx'
import { Tag } from '#ui/Tag.tsx'
import { SearchField, TextField } from '#ui/TextField.tsx'
import css from './SettingTab.module.css'
import { type SettingCard, useStrategies } from './use-setting.ts'
import { CHANNEL_ABOUT, isStopped, muteText, pathText, stateTag, usedUpText } from './words.ts'

const PRIVACY_NOTE = {
  full: '商品、價格、口數、部位與損益',
  symbol_only: '只說哪個商品有訊號',
  new_only: '只說有新訊號，內容打開凌波看',
} as const

/** Where there is somebody to send to: what did not work last time is tried again by it. */
const TRIABLE: readonly ChannelState[] = ['bound', 'blocked', 'failing']

/** `open` null: closed. */
export function ChannelSheet({
  open,
  onClose,
  channels,
  ...card
}: SettingCard & { open: ChannelId | null; onClose: () => void; channels: readonly NotificationChannel[] }) {
  const one = channels.find(({ channel }) => channel === open)
  return (
    <Sheet
      open={one !== undefined}
      onClose={onClose}
      title={one ? CHANNEL_WORDS[one.channel] : ''}
      subtitle={one && CHANNEL_ABOUT[one.channel]}
    >
      {one && <Inside key={one.channel} one={one} {...card} />}
    </Sheet>
  )
}

function Inside({ one, setting, change }: SettingCard & { one: NotificationChannel }) {
  const { channel, state, name, last_ok_at, config } = one
  const left = config.left_this_month
  // what is connected is tried, and left last of all
  const leaves = state === 'bound' && isBound(channel)
  return (
    <div className="col gap20">
      <KeyValues
        rows={[
          {
            key: 'state',
            label: '狀態',
            value: <Tag {...stateTag(one)} />,
          },
          ...(name ? [{ label: '連到', value: name }] : []),
          ...(state === 'none' || (!last_ok_at && !TRIABLE.includes(state))
            ? []
            : [{ label: '最後成功', value: last_ok_at ? when(last_ok_at, serverNow()) : '還沒有' }]),
          ...(typeof left === 'number' && state !== 'none'
            ? [{ label: '本月還可送', value: left > 0 ? `${number(left)} 則` : usedUpText(config) }]
            : []),
        ]}
      />
      <LastFault one={one} />
      {state === 'none' && <p>{joined('要用', CHANNEL_WORDS[channel])}，請這台伺服器的管理者設定。</p>}
      <Muted config={config} />
      <Doubted config={config} />
      {state !== 'none' && !leaves && <Connect one={one} />}
      {TRIABLE.includes(state) && <SelfTest channel={channel} />}
      {reachesPerson(channel) && state !== 'none' && (
        <Choices
          legend="這個通道顯示多少內容"
          value={setting.privacy[channel]}
          onChange={(level) => change({ [`privacy.${channel}`]: level }, pathText(`privacy.${channel}`))}
          options={PRIVACY_LEVELS.map((value) => ({
            value,
            label: PRIVACY_WORDS[value],
            note: PRIVACY_NOTE[value],
          }))}
        />
      )}
      {leaves && <Connect one={one} />}
      {/* the last: its list may come later and moves nothing */}
      {isAddressed(channel) && state !== 'none' && state !== 'off' && (
        <Which channel={channel} stored={config.strategies ?? null} />
      )}
    </div>
  )
}

function Connect({ one }: { one: NotificationChannel }) {
  const { go } = useGo()
  const { channel } = one
  if (isBound(channel)) return <Binding channel={channel} one={one} />
  if (isAddressed(channel)) return <Address channel={channel} one={one} />
  if (connectedBy(channel) === 'device') return <PushParts />
  if (connectedBy(channel) === 'mailbox' && one.state !== 'bound')
    return (
      <div>
        <Button kind="filled" icon="mail" {...go('/profile')}>
          前往驗證電子郵件
        </Button>
      </div>
    )
  return null
}

/* Telegram and LINE: a one-time link as a button and as a QR code for the phone, with how far it is; unbinding asks first. */

/** While it waits for the other side; the event of the stream is quicker where there is one. */
const LOOK_MS = 2_000
const STEP = {
  telegram: '在 Telegram 按「開始」（START），再回到這裡確認是你。',
  line: '加入官方帳號，把已經填好的那句話送出，再回到這裡確認是你。',
} as const

export function Binding({ channel, one }: { channel: BoundChannel; one: NotificationChannel }) {
  const name = CHANNEL_WORDS[channel]
  const begin = useMutation(channelMutations.bind(channel))
  // Who comes back from Telegram may find the page loaded anew: what was begun there goes on here.
  const begun = one.state === 'pending' || begin.isSuccess
  if (one.state === 'bound') return <Unbind channel={channel} account={one.name} />
  return (
    <section aria-label={`綁定 ${name}`} className={css.binding}>
      {begun ? (
        <Steps channel={channel} busy={begin.isPending} onAgain={() => begin.mutate()} />
      ) : (
        <>
          <Refused text={begin.error && failureSentence(begin.error)} />
          <Button kind="filled" icon="link" busy={begin.isPending} onClick={() => begin.mutate()}>
            {one.state === 'blocked' || one.state === 'failing' ? `重新綁定 ${name}` : `綁定 ${name}`}
          </Button>
        </>
      )}
    </section>
  )
}

function Steps({ channel, busy, onAgain }: { channel: BoundChannel; busy: boolean; onAgain: () => void }) {
  const name = CHANNEL_WORDS[channel]
  const { data, error, isFetching, refetch } = useQuery({
    ...channelQueries.binding(channel),
    refetchInterval: LOOK_MS,
  })
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1_000)
    return () => clearInterval(timer)
  }, [])
  if (!data)
    return error ? (
      <FailState title="讀不到綁定的連結" busy={isFetching} onRetry={() => void refetch()}>
        {failureSentence(error)}
      </FailState>
    ) : (
      <Bone h={44} />
    )
  const { state, deep_link, expires_at, username, reason, waiting } = data
  if (state === 'bound')
    return (
      <Banner tone="good" icon="check">
        {joined('已連結', username ?? '')}。
      </Banner>
    )
  if (waiting) return <Confirm channel={channel} waiting={waiting} busy={busy} onAnew={onAgain} />
  const over = expires_at !== null && Date.parse(expires_at) <= now
  if (deep_link === null || over)
    return (
      <>
        <Banner tone="warn" icon="clock">
          {closed(reason ?? '這個連結已過期')}
        </Banner>
        <Button kind="filled" busy={busy} onClick={onAgain}>
          換一個新的連結
        </Button>
      </>
    )
  return (
    <>
      {reason && (
        <Banner tone="warn" icon="warning">
          {closed(reason)}
        </Banner>
      )}
      <p>{STEP[channel]}</p>
      <Button kind="filled" away href={deep_link}>
        開啟 {name}
      </Button>
      <div className={css.code}>
        <QrCode text={deep_link} label={`用手機掃描，開啟 ${name}`} />
        <p className="t13 ink3">或用手機掃這個碼</p>
      </div>
      <p className="t13 ink3" role="status">
        等待 {name} 那邊的訊息…{expires_at && `連結到 ${hm(expires_at)} 為止，只能用一次。`}
      </p>
    </>
  )
}

function Unbind({ channel, account }: { channel: BoundChannel; account: string | null }) {
  const name = CHANNEL_WORDS[channel]
  const [asking, setAsking] = useState(false)
  return (
    <>
      <div>
        <Button onClick={() => setAsking(true)}>解除綁定</Button>
      </div>
      {asking && (
        <Ask
          title={`${joined('解除綁定', name)}？`}
          verb="解除綁定"
          icon="link"
          mild
          mutation={channelMutations.unbind(channel)}
          input={undefined}
          done={{ title: joined('已解除綁定', name) }}
          safe="綁定還在，"
          onClose={() => setAsking(false)}
        >
          <p>{joined('之後的通知不再送到', account ?? `這個 ${name} 帳號`)}，隨時可以再綁定。</p>
        </Ask>
      )}
    </>
  )
}

/* A chat came with the link: one press says that it is mine; nothing is sent there before, for a link can be photographed. */

export function Confirm({
  channel,
  waiting,
  busy,
  onAnew,
}: {
  channel: BoundChannel
  waiting: NonNullable<ChannelBinding['waiting']>
  busy: boolean
  onAnew: () => void
}) {
  const name = CHANNEL_WORDS[channel]
  const confirm = useMutation(channelMutations.confirm(channel))
  const who = waiting.name ?? `這個 ${name} 帳號`
  return (
    <>
      <Banner tone="info" icon="link">
        <b>{who}</b>
        {joined(who, '要連結你的凌波帳號，是你嗎？').slice(who.length)}
      </Banner>
      <p className="t13 ink3">按下確認之前，不會有任何內容送到那裡。</p>
      <Refused text={confirm.error && failureSentence(confirm.error)} />
      <Button kind="filled" icon="check" busy={confirm.isPending} onClick={() => confirm.mutate(waiting.id)}>
        是我，連結
      </Button>
      <Button busy={busy} onClick={onAnew}>
        不是我，換新的連結
      </Button>
    </>
  )
}

/* Discord and outgoing webhooks: the address, which strategies go there, and the secret that signs, shown once. */

interface FieldWords {
  readonly label: string
  readonly other: string
  readonly placeholder: string
  readonly hint: string
}
const FIELD: Partial<Record<ChannelId, FieldWords>> = {
  discord: {
    label: 'Discord Webhook 網址',
    other: '換成另一個 Discord Webhook 網址',
    placeholder: 'https://discord.com/api/webhooks/…',
    hint: '頻道設定 → 整合 → Webhook → 複製 Webhook 網址',
  },
  webhook: {
    label: '你的程式的網址',
    other: '換成另一個程式網址',
    placeholder: 'https://example.com/signals',
    hint: '只收 https 的網址；你的程式回成功才算送到。簽章的驗法寫在使用說明。',
  },
}
const fieldOf = (channel: AddressedChannel): FieldWords =>
  FIELD[channel] ?? {
    label: `${CHANNEL_WORDS[channel]} Webhook 網址`,
    other: `換成另一個 ${CHANNEL_WORDS[channel]} Webhook 網址`,
    placeholder: 'https://…',
    hint: `在 ${CHANNEL_WORDS[channel]} 裡建立 Webhook，複製它的網址`,
  }

export function Address({ channel, one }: { channel: AddressedChannel; one: NotificationChannel }) {
  const set = one.state !== 'off' || isStopped(one)
  const [address, setAddress] = useState('')
  const [secret, setSecret] = useState<string | null>(null)
  const save = useMutation({
    ...channelMutations.update(),
    onSuccess: (saved, { rotate }) => {
      setAddress('')
      setSecret(saved.secret ?? null)
      toast({
        title: rotate ? '已換成新的密鑰' : joined('已存好', CHANNEL_WORDS[channel], '的網址'),
        icon: 'check',
      })
    },
  })
  const field = refusedFields(save.error)?.['address']
  const rotated = save.variables?.rotate === true
  const { label, other, placeholder, hint } = fieldOf(channel)
  return (
    <section className={css.address} aria-label={label}>
      {secret && (
        <Banner tone="info" icon="lock" onClose={() => setSecret(null)}>
          簽章密鑰只顯示這一次，請現在存進你的程式。{rotated && '舊的再用一天，這一天兩個簽章都會附上。'}
        </Banner>
      )}
      {secret && <CodeBlock code={secret} label="簽章密鑰" copy="複製密鑰" wrap clear />}
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (address.trim()) save.mutate({ channel, address: address.trim() })
        }}
      >
        <TextField
          label={set ? other : label}
          value={address}
          onChange={setAddress}
          inputMode="url"
          autoComplete="off"
          placeholder={placeholder}
          hint={hint}
          error={field}
        />
        <Refused text={save.error && !field && failureSentence(save.error)} />
        <div className="row gap8 wrap">
          <Button type="submit" kind="filled" disabled={!address.trim()} busy={save.isPending && !rotated}>
            {set ? '換網址' : '存網址'}
          </Button>
          {set && isProgram(channel) && (
            <Button
              icon="refresh"
              busy={save.isPending && rotated}
              onClick={() => save.mutate({ channel, rotate: true })}
            >
              換新的密鑰
            </Button>
          )}
          {set && <Remove channel={channel} />}
        </div>
      </form>
    </section>
  )
}

/* 移除網址: asks first, because what goes there ends at once. */

export function Remove({ channel }: { channel: AddressedChannel }) {
  const address = joined(CHANNEL_WORDS[channel], '的網址')
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button kind="danger" icon="trash" onClick={() => setAsking(true)}>
        移除
      </Button>
      {asking && (
        <Ask
          title={`${joined('移除', address)}？`}
          verb="移除"
          mutation={channelMutations.remove()}
          input={{ channel }}
          done={{ title: joined('已移除', address) }}
          safe="網址還在，"
          onClose={() => setAsking(false)}
        >
          <p>之後的訊號不再送到那裡，簽章密鑰也會作廢。</p>
        </Ask>
      )}
    </>
  )
}

/* Which strategies go to an address: all, or those that are ticked. A program may follow one strategy and never hear of another. */

const CHOICES = [
  { value: 'all', label: '全部策略' },
  { value: 'some', label: '只送選的' },
] as const

/** `stored` what the server has; null for all. Nothing is sent before 存這些策略: a program must not get half of a choice. */
export function Which({ channel, stored }: { channel: AddressedChannel; stored: readonly string[] | null }) {
  const [draft, setDraft] = useState<readonly string[] | null | undefined>()
  const save = useMutation({
    ...channelMutations.update(),
    onSuccess: () => {
      setDraft(undefined)
      toast({ title: joined('已改', CHANNEL_WORDS[channel], '送哪些策略'), icon: 'check' })
    },
  })
  const chosen = draft === undefined ? stored : draft
  const put = (strategies: readonly string[] | null) =>
    save.mutate({ channel, strategies: strategies && [...strategies] })
  const field = refusedFields(save.error)?.['strategies']
  return (
    <fieldset className={css.which}>
      <legend>哪些策略送到這裡</legend>
      <Segments
        label="哪些策略送到這裡"
        value={chosen === null ? 'all' : 'some'}
        onChange={(choice) => {
          if (choice === 'some') setDraft(stored ?? [])
          else if (stored === null) setDraft(undefined)
          else put(null)
        }}
        options={CHOICES}
        tall
        wide
      />
      {chosen !== null && <Ticks chosen={chosen} onChange={setDraft} />}
      {/* over the keys that send: a sheet says once for each form that it is offline, and here nothing is to be sent yet */}
      {(draft !== undefined || save.error) && (
        <Refused text={save.error && (field ?? failureSentence(save.error, '送哪些策略維持原樣，'))} />
      )}
      {draft !== undefined && draft !== null && (
        <div className="row gap8 wrap">
          <Button
            kind="filled"
            disabled={draft.length === 0}
            busy={save.isPending}
            onClick={() => put(draft)}
          >
            存這些策略
          </Button>
          <Button onClick={() => setDraft(undefined)}>取消</Button>
          {draft.length === 0 && <span className="t13 ink3">至少選一個</span>}
        </div>
      )}
    </fieldset>
  )
}

function Ticks({
  chosen,
  onChange,
}: {
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}) {
  const { strategies, list, box } = useStrategies()
  // of another identity, beyond the list, or deleted: kept as they are, or let go together
  const listed = new Set(list.data?.items.map(({ id }) => id).concat(strategies.map(({ id }) => id)))
  const [others] = useState(chosen)
  const unseen = list.data ? others.filter((id) => !listed.has(id)) : []
  const turn = (ids: readonly string[], on: boolean) =>
    onChange(on ? [...chosen, ...ids] : chosen.filter((one) => !ids.includes(one)))
  return (
    <div>
      {box && <SearchField label="搜尋策略" placeholder="策略名稱或標籤" {...box} />}
      {strategies.map(({ id, name }) => (
        <Checkbox
          key={id}
          className={css.one}
          label={name}
          checked={chosen.includes(id)}
          onChange={(on) => turn([id], on)}
        />
      ))}
      {unseen.length > 0 && (
        <Checkbox
          className={css.one}
          label={`另外 ${unseen.length} 個（其他身份的，或已刪除）`}
          checked={unseen.some((id) => chosen.includes(id))}
          onChange={(on) => turn(unseen, on)}
        />
      )}
      {list.isPending && !list.error && (
        <div role="status" aria-label="策略載入中">
          {chosen.map((id) => (
            <p key={id} className={css.one}>
              <Bone w={148} h={14} />
            </p>
          ))}
        </div>
      )}
      {strategies.length === 0 && !(list.isPending && !list.error) && (
        <p className={css.whichNone} role="status">
          {list.error ? '讀不到策略，連線後再看一次。' : '沒有符合的策略。'}
        </p>
      )}
    </div>
  )
}

/* 傳送測試: what each device or receiver answered, with the measured time, or why it did not arrive. */

export function SelfTest({ channel }: { channel: ChannelId }) {
  const test = useMutation(channelMutations.test())
  const results = test.data ?? []
  return (
    <section aria-label="傳送測試" className={css.selfTest}>
      <Refused text={test.error && failureSentence(test.error)} />
      <div className={css.selfTestKey}>
        <Button icon="send" busy={test.isPending} onClick={() => test.mutate(channel)}>
          傳送測試
        </Button>
      </div>
      <div role="status">
        {results.map(({ delivered, reason, milliseconds, device_label }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two devices may have one name, and the list does not change
          <p key={at} className={css.line}>
            <Icon
              name={delivered ? 'check' : 'warning'}
              size={18}
              className={delivered ? 'good-ink' : 'warn-ink'}
            />
            <span className="sp">
              {device_label ?? CHANNEL_WORDS[channel]}：
              {delivered ? '已送達' : (reason ?? '沒有送到，對方沒有說原因')}
            </span>
            {delivered && milliseconds !== null && <span className="num ink3">{latency(milliseconds)}</span>}
          </p>
        ))}
        {test.isSuccess && results.length === 0 && (
          <p className={css.line}>這個通道還沒有裝置或帳號可以測試。</p>
        )}
      </div>
    </section>
  )
}

/* Pushes inside their channel: this device, and all of them. */

export function PushParts() {
  return (
    <>
      <PushHere />
      <section aria-label="收推播的裝置" className={css.pushParts}>
        <PushDevices empty="其他裝置也都還沒有打開。" />
      </section>
    </>
  )
}

/* A chat that was told to be silent: until when, and the key that ends it. */

/** Nothing while everybody is told. */
export function Muted({ config }: Pick<NotificationChannel, 'config'>) {
  const lift = useMutation({
    ...channelMutations.unmute(),
    onSuccess: () => toast({ title: '已解除靜音', icon: 'check' }),
    onError: (error) =>
      toast({ title: '還是靜音', description: failureSentence(error), variant: 'destructive' }),
  })
  const text = muteText(config)
  if (text === '') return null
  return (
    <Banner
      tone="info"
      icon="bell-off"
      action={
        <Button size="s" busy={lift.isPending} onClick={() => lift.mutate()}>
          解除靜音
        </Button>
      }
    >
      {text}，期間的通知不會補送。
    </Banner>
  )
}

/* A chat that gives no links to sign in any more: which one, and the key that says it is mine. */

/** Nothing while every chat is known to be the person's. */
export function Doubted({ config }: Pick<NotificationChannel, 'config'>) {
  const trust = useMutation({
    ...channelMutations.confirm('telegram'),
    onSuccess: () => toast({ title: '已恢復登入連結', icon: 'check' }),
    onError: (error) =>
      toast({
        title: '登入連結還是關著',
        description: failureSentence(error),
        variant: 'destructive',
      }),
  })
  return (config.doubted ?? []).map(({ id, name }) => (
    <Banner
      key={id}
      tone="warn"
      icon="lock"
      action={
        <Button size="s" busy={trust.isPending && trust.variables === id} onClick={() => trust.mutate(id)}>
          是我，恢復
        </Button>
      }
    >
      {joined(
        name ?? '這個聊天',
        '的登入連結先關著：綁定它的登入已結束，或密碼變更過。通知照送；不是你的聊天就解除綁定。',
      )}
    </Banner>
  ))
}

/* Why a channel did not work last time; of a program that said it takes no more, the key that tries it again. */

/** Nothing while all is well. */
export function LastFault({ one }: { one: NotificationChannel }) {
  const { channel, state, reason } = one
  const again = useMutation({
    ...channelMutations.update(),
    onSuccess: () => toast({ title: joined('已重新啟用', CHANNEL_WORDS[channel]), icon: 'check' }),
    onError: (error) =>
      toast({ title: '還沒有重新啟用', description: failureSentence(error), variant: 'destructive' }),
  })
  if (!reason || state === 'bound') return null
  const stopped = isAddressed(channel) && isProgram(channel) && isStopped(one)
  return (
    <Banner
      tone="warn"
      icon="warning"
      action={
        stopped && (
          <Button size="s" busy={again.isPending} onClick={() => again.mutate({ channel })}>
            重新啟用
          </Button>
        )
      }
    >
      {closed(reason)}
      {stopped && '你的程式準備好以後，重新啟用就會再送，網址與密鑰不變。'}
    </Banner>
  )
}
