/* Telegram and LINE: a one-time link as a button and as a QR code for the phone, with how far it is; unbinding asks first. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { BoundChannel } from '#contract/channels.ts'
import type { NotificationChannel } from '#contract/notification.ts'
import { channelMutations, channelQueries } from '#data/nouns/notification-setting.ts'
import { Ask } from '#screen/Ask.tsx'
import { failureSentence } from '#screen/failure.ts'
import { Refused } from '#screen/Refused.tsx'
import { closed } from '#text/delivery.ts'
import { joined } from '#text/joined.ts'
import { CHANNEL_WORDS } from '#text/notification.ts'
import { serverNow } from '#text/now.ts'
import { hm } from '#text/time.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { FailState } from '#ui/EmptyState.tsx'
import { QrCode } from '#ui/QrCode.tsx'
import { Bone } from '#ui/Skeleton.tsx'
import css from './Binding.module.css'
import { Confirm } from './Confirm.tsx'

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
    <section aria-label={`綁定 ${name}`} className={css.root}>
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
