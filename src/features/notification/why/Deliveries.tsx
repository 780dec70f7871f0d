/* 發送紀錄: every delivery with its channel, how it stands, why, and 重送 for what did not arrive. */

import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState } from 'react'
import { CHANNELS, DELIVERY_STATES } from '#contract/channels.ts'
import type { NotificationDelivery } from '#contract/notification.ts'
import { notificationMutations, notificationQueries } from '#data/nouns/notification.ts'
import { useOnline } from '#screen/browser.ts'
import { Stale } from '#screen/Connection.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { toast } from '#screen/toast.ts'
import { useAway, useHeld } from '#screen/use-list.ts'
import { whyText } from '#text/delivery.ts'
import { CHANNEL_WORDS, DELIVERY_STATE_WORDS } from '#text/notification.ts'
import { serverNow } from '#text/now.ts'
import { dayTitle, full, hm, taipei } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState, FailState } from '#ui/EmptyState.tsx'
import { Icon } from '#ui/Icon.tsx'
import { DayHeader, NewPill } from '#ui/nouns/DayHeader.tsx'
import { ChipSelect } from '#ui/Segments.tsx'
import { Tag } from '#ui/Tag.tsx'
import { More, Waiting } from '../Parts.tsx'
import css from '../setting/SettingTab.module.css'
import { canResend, DELIVERY_LOOK, progressText, tellings } from './deliveries.ts'

const ANY = [{ value: '', label: '全部' }]

export function Deliveries() {
  const search = useSearch({ from: '/_shell/signal-notification' })
  const navigate = useNavigate()
  const { go } = useGo()
  const channel = CHANNELS.find((one) => one === search.channel)
  const state = DELIVERY_STATES.find((one) => one === search.state)
  const asked = useInfiniteQuery(
    notificationQueries.deliveries({ ...(channel && { channel }), ...(state && { state }) }),
  )
  const { data, error, isFetching, refetch, dataUpdatedAt } = asked
  const narrowed = channel !== undefined || state !== undefined
  // with no network a choice that was never asked for is made among what is here
  const all = useInfiniteQuery({
    ...notificationQueries.deliveries({}),
    enabled: narrowed && !data && error !== null,
  })
  const here = (!data && error && narrowed ? all.data?.pages : undefined)
    ?.flatMap((page) => page.items)
    .filter((one) => (channel ?? one.channel) === one.channel && (state ?? one.state) === one.state)
  const narrow = (change: { channel?: string; state?: string }) => {
    const next = { channel: channel ?? '', state: state ?? '', ...change }
    void navigate({
      to: '/signal-notification',
      search: {
        tab: 'why',
        ...(search.id && { id: search.id }),
        ...(next.channel && { channel: next.channel }),
        ...(next.state && { state: next.state }),
      },
      replace: true,
      resetScroll: false,
    })
  }
  const items = data?.pages.flatMap((page) => page.items) ?? here ?? []
  const title = useRef<HTMLHeadingElement>(null)
  const toLog = () => title.current?.scrollIntoView({ block: 'start' })
  // who comes for the log, by an address of before or a link that names it, stands at it
  const [named] = useState(search.tab === 'deliveries' || narrowed || location.hash === '#sent')
  useEffect(() => {
    if (named) title.current?.scrollIntoView({ block: 'start' })
  }, [named])
  const { head, away } = useAway()
  const held = useHeld(tellings(items, asked.hasNextPage), away)
  const heading = (
    <h2 id="sent" ref={title} className={css.WhyTabSent}>
      發送紀錄
    </h2>
  )
  if (data && items.length === 0 && !narrowed && !error)
    return (
      <>
        {heading}
        <EmptyState
          card
          title="還沒有發送過通知"
          action={<Button {...go('/signal-notification?tab=setting')}>設定通知</Button>}
        >
          下一筆訊號送到各通道的經過，會一筆一筆記在這裡。
        </EmptyState>
      </>
    )
  return (
    <>
      {heading}
      <div className={css.WhyTabFilters} ref={head}>
        <ChipSelect
          label="狀態"
          value={state ?? ''}
          onChange={(next) => narrow({ state: next })}
          options={[
            ...ANY,
            ...DELIVERY_STATES.map((one) => ({ value: one, label: DELIVERY_STATE_WORDS[one] })),
          ]}
        />
        <ChipSelect
          label="通道"
          value={channel ?? ''}
          onChange={(next) => narrow({ channel: next })}
          options={[...ANY, ...CHANNELS.map((one) => ({ value: one, label: CHANNEL_WORDS[one] }))]}
        />
      </div>
      {error && items.length > 0 && <Stale at={data ? dataUpdatedAt : all.dataUpdatedAt} />}
      {!data && !error && <Waiting label="發送紀錄載入中" day tall />}
      {!data && error && items.length === 0 && (
        <FailState card title="讀不到發送紀錄" busy={isFetching} onRetry={() => void refetch()}>
          {failureSentence(error)}
        </FailState>
      )}
      {data && items.length === 0 && (
        <EmptyState
          card
          title="沒有符合的發送"
          action={
            <Button size="s" onClick={() => narrow({ channel: '', state: '' })}>
              清除條件
            </Button>
          }
        />
      )}
      {[...Map.groupBy(held.shown, ({ created_at }) => taipei(created_at).day)].map(([day, own]) => (
        <section key={day}>
          <DayHeader title={dayTitle(day, serverNow())} />
          <ul className={`card flush ${css.WhyTabRows}`}>
            {own.map(({ id, deliveries }) => (
              <Told key={id} deliveries={deliveries} whole={narrowed} />
            ))}
          </ul>
        </section>
      ))}
      <NewPill
        count={held.waiting}
        unit="則"
        noun="發送"
        onClick={() => {
          held.letIn()
          toLog()
        }}
      />
      <More asked={asked}>顯示更早的發送</More>
    </>
  )
}

/* One notification with its deliveries under it: what did not arrive in full, what arrived in one line that opens. */

/** `deliveries` of one notification, at least one. `whole`: each is asked for, none is put together. */
export function Told({
  deliveries,
  whole = false,
}: {
  deliveries: readonly NotificationDelivery[]
  whole?: boolean
}) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const [first] = deliveries
  if (!first) return null
  const arrived = deliveries.filter(({ state }) => state === 'confirmed')
  const folds = !whole && arrived.length > 1
  const rows = folds ? deliveries.filter((one) => !arrived.includes(one)) : deliveries
  return (
    <li className={css.WhyTabTold}>
      <p className={css.WhyTabToldHead}>
        <b className="sp">{first.title}</b>
        <time className="num" dateTime={first.created_at} title={full(first.created_at)}>
          {hm(first.created_at)}
        </time>
      </p>
      {rows.length > 0 && (
        <ul>
          {rows.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
      {folds && (
        <button
          type="button"
          className={css.WhyTabArrived}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          <Tag {...DELIVERY_LOOK.confirmed}>{DELIVERY_STATE_WORDS.confirmed}</Tag>
          <span className="sp">
            {CHANNELS.flatMap((channel) => {
              const times = arrived.filter((one) => one.channel === channel).length
              return times > 1
                ? `${CHANNEL_WORDS[channel]} ${times}`
                : times > 0
                  ? CHANNEL_WORDS[channel]
                  : []
            }).join('、')}
          </span>
          <Icon name={open ? 'chevron-up' : 'chevron-down'} size={16} className="ink3" />
        </button>
      )}
      {folds && (
        <ul id={id} hidden={!open}>
          {open && arrived.map((delivery) => <DeliveryRow key={delivery.id} delivery={delivery} />)}
        </ul>
      )}
    </li>
  )
}

/* One delivery of a notification: over which channel, how it stands, why it did not arrive and what to do. */

export function DeliveryRow({ delivery }: { delivery: NotificationDelivery }) {
  const { id, title, channel, device_label, state } = delivery
  const again = useMutation({
    ...notificationMutations.resend(),
    onSuccess: () => toast({ title: '已重新排入發送', icon: 'check' }),
    onError: (error) =>
      toast({ title: '沒有重送', description: failureSentence(error), variant: 'destructive' }),
  })
  const online = useOnline()
  const progress = progressText(delivery)
  const why = whyText(delivery)
  return (
    <li className={css.WhyTabDeliveryRow}>
      <div className={css.WhyTabDeliveryRowWords}>
        <span className={css.WhyTabTo}>
          <span className={css.WhyTabChannel}>
            {CHANNEL_WORDS[channel]}
            {device_label && <small>（{device_label}）</small>}
          </span>
          <span className={css.WhyTabState}>
            <Tag {...DELIVERY_LOOK[state]}>{DELIVERY_STATE_WORDS[state]}</Tag>
          </span>
          {progress && <small className="num">{progress}</small>}
        </span>
        {why && <small className={css.WhyTabWhy}>{why}</small>}
      </div>
      {canResend(delivery) && (
        <Button
          size="s"
          icon="refresh"
          busy={again.isPending}
          disabled={!online}
          label={`${online ? '重送' : '連線後可以重送'}：${title}，${CHANNEL_WORDS[channel]}`}
          onClick={() => again.mutate(id)}
        >
          重送
        </Button>
      )}
    </li>
  )
}
