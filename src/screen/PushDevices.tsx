/* The devices that take pushes, this one among them; what is not one's own any more is taken out. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { reachesPerson } from '#contract/channels.ts'
import type { NotificationChannel, PushSubscription } from '#contract/notification.ts'
import { channelQueries, settingQueries } from '#data/nouns/notification-setting.ts'
import {
  type PushSnapshot,
  type PushState,
  pushHere,
  pushMutations,
  pushQueries,
  standsBy,
} from '#data/nouns/push.ts'
import { failureText } from '#text/errors.ts'
import { joined } from '#text/format.ts'
import { PUSH_TEXT } from '#text/notification.ts'
import { serverNow } from '#text/now.ts'
import { when } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { Clauses } from '#ui/Clauses.tsx'
import { Banner, FailState } from '#ui/EmptyState.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Bone } from '#ui/Skeleton.tsx'
import { Tag } from '#ui/Tag.tsx'
import css from './cards.module.css'
import { failureSentence } from './failure.ts'
import { Refused } from './Refused.tsx'
import { toast } from './toast.ts'

/** `empty` what is said when there is none. */
export function PushDevices({ empty }: { empty: string }) {
  const { data, error, isPending, isFetching, refetch } = useQuery(pushQueries.devices())
  if (data)
    return data.length > 0 ? (
      <DeviceRows>
        {data.map((one) => (
          <Device key={one.id} one={one} />
        ))}
      </DeviceRows>
    ) : (
      <p className={css.PushDevicesNone}>{empty}</p>
    )
  if (isPending && !error) return <DeviceRows />
  return (
    <FailState row title="讀不到收推播的裝置" onRetry={() => void refetch()} busy={isFetching}>
      {failureSentence(error)}
    </FailState>
  )
}

function Device({ one }: { one: PushSubscription }) {
  const { id, device_label, last_ok_at, state, created_at, is_this_session } = one
  const remove = useMutation({
    ...pushMutations.remove(),
    onSuccess: () => toast({ title: joined(device_label, '不再收推播'), icon: 'check' }),
    onError: (failure) =>
      toast({ title: '這支裝置還在', description: failureText(failure), variant: 'destructive' }),
  })
  return (
    <DeviceRow
      label={device_label}
      here={is_this_session}
      note={
        state === 'gone'
          ? '推播服務說這支裝置已不在，請在它上面再打開一次'
          : last_ok_at
            ? `最後成功 ${when(last_ok_at, serverNow())}`
            : `${when(created_at, serverNow())} 打開，還沒有送過`
      }
    >
      <Button
        size="s"
        busy={remove.isPending}
        onClick={() => remove.mutate({ id })}
        label={joined(device_label, '不再收推播')}
      >
        移除
      </Button>
    </DeviceRow>
  )
}

/* 推播 on this device: on or off, or the steps that its platform needs first. */

const INSTALL = [
  '在 Safari 按分享鈕',
  '選「加入主畫面」，再按「加入」',
  '從主畫面打開凌波，登入後回到這裡打開推播',
] as const

/** Where a refusal is taken back, by platform. */
function allowSteps(agent: string): readonly string[] {
  if (/iPhone|iPad|iPod/.test(agent))
    return ['打開 iPhone 的「設定」', '通知 → 凌波', '打開「允許通知」，再回到這裡']
  if (/Android/.test(agent))
    return [
      '按網址列左邊的圖示（已安裝的話：長按凌波圖示 → 應用程式資訊）',
      '權限 → 通知',
      '選「允許」，再回到這裡',
    ]
  return ['按網址列左邊的圖示', '網站設定 → 通知', '改成「允許」，再重新載入這一頁']
}

const Steps = ({ steps }: { steps: readonly string[] }) => (
  <ol className={css.PushHereSteps}>
    {steps.map((step, at) => (
      <li key={step}>
        <span className="num">{at + 1}</span>
        {step}
      </li>
    ))}
  </ol>
)

const SAYS: Record<PushState, string> = {
  ...PUSH_TEXT,
  unsupported: '這個瀏覽器沒有推播。Chrome、Edge、Firefox 與 Safari 16.4 以上都可以；也可以改用 Telegram。',
  needs_install: 'iPhone 和 iPad 的推播，要先把凌波放到主畫面。',
  denied: '這支裝置不允許凌波通知。瀏覽器不會再問，要到它的設定裡打開：',
  default: '這支裝置還沒有打開推播。按下去，瀏覽器會問一次，請選「允許」。',
  on: '這支裝置會收到推播，鎖著螢幕也看得到。',
  other_key: '伺服器換過推播的金鑰，這支裝置要再打開一次。',
}

export function PushHere() {
  const { state, busy, problem, enable, disable } = usePush()
  const can = ['default', 'off', 'other_key', 'lost'].includes(state)
  return (
    <section className={css.PushHere} aria-label="這支裝置的推播">
      <p>{SAYS[state]}</p>
      {state === 'needs_install' && <Steps steps={INSTALL} />}
      {state === 'denied' && <Steps steps={allowSteps(navigator.userAgent)} />}
      {problem && (
        <Banner tone="warn" icon="warning" urgent>
          {problem}
        </Banner>
      )}
      {can && <Refused text={null} />}
      {can && (
        <Button kind="filled" icon="bell" busy={busy} onClick={() => void enable()}>
          打開推播
        </Button>
      )}
      {state === 'on' && (
        <Button icon="bell-off" busy={busy} onClick={() => void disable()}>
          關掉這支裝置的推播
        </Button>
      )}
    </section>
  )
}

// Pushes on this device, for a screen: how they stand, and the two taps.

export interface UsePush extends PushSnapshot {
  /** What the server says of this device is under way: a push service may have given it up. */
  asking: boolean
  /** Call it straight from the tap: browsers take the question from nothing else. */
  enable(device_label?: string): Promise<void>
  disable(): Promise<void>
}

export function usePush(): UsePush {
  const snapshot = useSyncExternalStore(pushHere.subscribe, pushHere.getSnapshot)
  useEffect(() => void pushHere.look(), [])
  const on = snapshot.state === 'on'
  const { data, isFetching } = useQuery({ ...pushQueries.devices(), enabled: on })
  return {
    ...snapshot,
    state: standsBy(snapshot, data),
    asking: on && data === undefined && isFetching,
    enable: pushHere.enable,
    disable: pushHere.disable,
  }
}

/* Devices one under another: what each is, since when or until when, and what can be done with it. */

/** Without rows it waits for them. */
export function DeviceRows({ children }: { children?: ReactNode }) {
  return (
    <ul className={css.DeviceRows} aria-busy={children === undefined || undefined}>
      {children ?? (
        <li>
          <Bone className={css.DeviceRowsWaiting} />
        </li>
      )}
    </ul>
  )
}

/** `here` the device one is looking at; `children` the key. */
export function DeviceRow({
  label,
  note,
  here,
  children,
}: {
  label: string
  note: string
  here: boolean
  children: ReactNode
}) {
  return (
    <li>
      <Icon name={/iPhone|Android|iPad|手機/.test(label) ? 'phone' : 'desktop'} size={20} className="ink3" />
      <span className={`sp ${css.DeviceRowsWhat}`}>
        <b>{label}</b>
        <small>
          <Clauses>{note}</Clauses>
        </small>
      </span>
      {here && <Tag tone="good">這支裝置</Tag>}
      {children}
    </li>
  )
}

/** A phone or a tablet: what one carries. */
export const isCarried = () => matchMedia('(pointer: coarse)').matches

/**
 * Nothing has ever sounded for this person: of the channels that carry signals none was reached. False while that is not known, or
 * where it is not `asked`.
 */
export function useNeverRang(asked: boolean): boolean {
  const { data: channels } = useQuery({ ...channelQueries.list(), enabled: asked })
  const { data: setting } = useQuery({ ...settingQueries.mine(), enabled: asked })
  if (!asked || !channels || !setting) return false
  const reached = ({ channel, state, last_ok_at }: NotificationChannel) =>
    reachesPerson(channel) && state === 'bound' && last_ok_at !== null && setting.kinds.signal[channel]
  return !channels.some(reached)
}
