// /signal-notification: what I was told, and how I am told; the tab stands in ?tab=, why something did not come is a part of 設定.

import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useRef } from 'react'
import { useSnapshot } from 'valtio'
import type { SignalNotification } from '#contract/notification.ts'
import { inboxWithPending, notificationMutations, notificationQueries } from '#data/nouns/notification.ts'
import { Stale } from '#screen/Connection.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { inbox, QUEUED_WORDS, useOutbox } from '#screen/outbox.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { useProfile } from '#screen/profile.ts'
import { toast } from '#screen/toast.ts'
import { toTop, useAway, useHeld } from '#screen/use-list.ts'
import { joined, number } from '#text/format.ts'
import { channelNames } from '#text/notification.ts'
import { serverNow } from '#text/now.ts'
import { NAV } from '#text/spec.ts'
import { dayTitle, full, hm, taipei } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState, FailState } from '#ui/EmptyState.tsx'
import { Icon, type IconName } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { DayHeader, NewPill } from '#ui/nouns/DayHeader.tsx'
import { cx, opens } from '#ui/open.ts'
import { PageHead } from '#ui/PageHead.tsx'
import { Tabs } from '#ui/Segments.tsx'
import { UnreadDot } from '#ui/Tag.tsx'
import { byDay, covered } from './inbox.ts'
import { More, Waiting } from './Parts.tsx'
import css from './SignalNotificationPage.module.css'

const SettingTab = lazy(() => import('./setting/SettingTab.tsx').then((it) => ({ default: it.SettingTab })))
const WhyTab = lazy(() => import('./why/WhyTab.tsx').then((it) => ({ default: it.WhyTab })))

const at = (tab: string) => `/signal-notification?tab=${tab}`
/** What addresses of before lead to: 發送紀錄 stands under 為什麼沒收到. */
const PARTS: Record<string, 'inbox' | 'setting' | 'why'> = {
  setting: 'setting',
  why: 'why',
  deliveries: 'why',
}

export function SignalNotificationPage() {
  const { tab = 'inbox' } = useSearch({ from: '/_shell/signal-notification' })
  const { unread } = useSnapshot(inbox)
  const { open, go } = useGo()
  const part = PARTS[tab] ?? 'inbox'
  const tabs = [
    { value: 'inbox', label: '收件匣', href: at('inbox'), count: unread > 0 ? unread : null, most: 99 },
    { value: 'setting', label: '設定', href: at('setting') },
  ]
  if (part === 'why')
    return (
      <div className="page">
        <PageHead
          title="為什麼沒收到"
          back={{ href: at('setting'), label: '設定', onOpen: () => open(at('setting')) }}
        />
        <Suspense fallback={<Waiting label="載入中" />}>
          <WhyTab />
        </Suspense>
      </div>
    )
  return (
    <div className="page">
      <PageHead title={NAV.notifications}>
        <Button size="s" {...go(at('why'))}>
          為什麼沒收到
        </Button>
      </PageHead>
      <div className={css.tabs}>
        <Tabs label={NAV.notifications} value={part} tabs={tabs} onOpen={({ href }) => open(href, true)} />
      </div>
      {part === 'inbox' ? (
        <InboxTab />
      ) : (
        <Suspense fallback={<Waiting label="載入中" />}>
          <SettingTab />
        </Suspense>
      )}
    </div>
  )
}

/* 收件匣: what needs a person, unread first, by day; read by opening it, one by one, or all at once. Signals are read in the feed. */

export function InboxTab() {
  const asked = useInfiniteQuery(notificationQueries.inbox())
  const { data, dataUpdatedAt, error, isFetching, refetch } = asked
  const outbox = useOutbox()
  const { go } = useGo()
  const inbox = useMemo(
    () => data && inboxWithPending(data, outbox, dataUpdatedAt),
    [data, outbox, dataUpdatedAt],
  )
  // what was unread when it came to this screen stays where it is when it is read: nothing jumps under the finger
  const fresh = useRef(new Set<string>())
  for (const { id, read_at } of inbox?.items ?? []) if (read_at === null) fresh.current.add(id)
  // what comes while it is open is shown to have come; what comes while one reads further down waits
  const opened = useRef<number | null>(null)
  if (inbox) opened.current ??= Math.max(-1, ...inbox.items.map(({ seq }) => seq))
  const { head, away } = useAway()
  const held = useHeld(inbox?.items ?? [], away)
  const read = useMutation({
    ...notificationMutations.read(),
    onSuccess: ({ queued }) => queued && toast({ title: QUEUED_WORDS, icon: 'offline' }),
    onError: (failure) =>
      toast({
        title: '沒有標為已讀',
        description: failureSentence(failure, '通知維持原樣，'),
        variant: 'destructive',
      }),
  })
  if (!inbox)
    return error ? (
      <FailState card title="讀不到通知" busy={isFetching} onRetry={() => void refetch()}>
        {failureSentence(error, '訊號都在首頁，')}
      </FailState>
    ) : (
      <Waiting label="通知載入中" head day />
    )
  const { items, attention_count } = inbox
  if (items.length === 0)
    return (
      <EmptyState
        card
        title="沒有等你處理的事"
        action={<Button {...go('/signal-notification?tab=setting')}>設定通知</Button>}
      >
        公告、邀請、申請和警示會出現在這裡；訊號在首頁看。
      </EmptyState>
    )
  const [top, rest] = [true, false].map((wanted) =>
    held.shown.filter(({ id }) => fresh.current.has(id) === wanted),
  )
  const newest = Math.max(...items.map(({ seq }) => seq))
  const last = items.at(-1)
  const unfinished = asked.hasNextPage && last ? taipei(last.created_at).day : null
  const mark = (ids: string[]) => read.mutate({ ids, label: `把 ${ids.length} 則通知標為已讀` })
  const part = { unfinished, since: opened.current, onRead: mark }
  return (
    <>
      {error && <Stale at={dataUpdatedAt} />}
      <div className={css.InboxTabHead} ref={head}>
        <p className="sp ink3" role="status">
          {attention_count > 0 ? `${number(attention_count)} 則未讀` : '全部都讀過了'}
        </p>
        {attention_count > 0 && (
          <Button
            size="s"
            icon="check"
            onClick={() => read.mutate({ up_to: newest, about: 'attention', label: '把所有通知標為已讀' })}
          >
            全部標為已讀
          </Button>
        )}
      </div>
      {top && top.length > 0 && <Part label="未讀" items={top} {...part} />}
      {rest && rest.length > 0 && (
        <Part label="已讀" titled={(top?.length ?? 0) > 0} items={rest} {...part} />
      )}
      <NewPill
        count={held.waiting}
        unit="則"
        noun="通知"
        onClick={() => {
          held.letIn()
          toTop()
        }}
      />
      <More asked={asked}>顯示更早的通知</More>
    </>
  )
}

/** `titled` shows the label over it; what is newer than `since`, a number of the inbox, came while one looked on; of the day `unfinished` more is on the server, so no number of it is said. */
type PartProps = {
  label: string
  titled?: boolean
  items: readonly SignalNotification[]
  since: number | null
  unfinished: string | null
  onRead: (ids: string[]) => void
}

function Part({ label, titled = false, items, since, unfinished, onRead }: PartProps) {
  return (
    <section aria-label={label}>
      {titled && <p className={css.InboxTabTitle}>{label}</p>}
      {byDay(items).map(({ day, items: own }) => (
        <div key={day}>
          <DayHeader
            title={dayTitle(day, serverNow())}
            {...(day !== unfinished && { count: own.length })}
            unit="則"
          />
          <ul className={cx('card flush', css.InboxTabRows)}>
            {own.map((item) => (
              <Row key={item.id} item={item} fresh={since !== null && item.seq > since} onRead={onRead} />
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

const ICON: Record<SignalNotification['kind'], IconName> = {
  signal: 'strategy',
  announcement: 'megaphone',
  organization: 'people',
  alarm: 'warning',
}

/** One of them: what it is about, when, where it did not arrive; a press opens its page and reads it. `fresh` it has just come. */
function Row({
  item,
  fresh,
  onRead,
}: {
  item: SignalNotification
  fresh: boolean
  onRead: (ids: string[]) => void
}) {
  const { open } = useGo()
  const { on: masked } = usePrivacy()
  const { profile } = useProfile()
  const { id, kind, title, body, link, created_at, read_at, organization_id } = item
  const unread = read_at === null
  const organization = profile?.organizations.find((one) => one.id === organization_id)?.name
  const missed = item.channels.filter(({ state }) => state === 'dead')
  return (
    <li
      className={cx(css.InboxTabRow, fresh && css.InboxTabFresh, unread && css.InboxTabUnread)}
      data-fresh={fresh || undefined}
    >
      {unread && <UnreadDot />}
      <a
        className={css.InboxTabMain}
        href={link}
        onClick={opens(() => {
          if (unread) onRead([id])
          open(link)
        })}
      >
        <Icon
          name={ICON[kind]}
          size={20}
          className={cx(css.InboxTabIcon, kind === 'alarm' ? 'warn-ink' : 'ink3')}
        />
        <span className={css.InboxTabWords}>
          <b>
            {unread && <span className="vh">未讀：</span>}
            {title}
          </b>
          {body && (
            <span className={css.InboxTabBody}>
              {(masked ? covered(body) : body).split('\n').map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text, which does not change
                <span key={at}>{line}</span>
              ))}
            </span>
          )}
          {(organization || missed.length > 0) && (
            <small className={css.InboxTabWhere}>
              {organization}
              {missed.length > 0 && (
                <span className={css.InboxTabMissed}>
                  <Icon name="warning" size={14} />
                  {joined(channelNames(missed.map(({ channel }) => channel)), '沒有送到')}
                </span>
              )}
            </small>
          )}
        </span>
        <time className="num" dateTime={created_at} title={full(created_at)}>
          {hm(created_at)}
        </time>
      </a>
      <span className={css.InboxTabKey}>
        {unread && <IconButton icon="check" label={`標為已讀：${title}`} onClick={() => onRead([id])} />}
      </span>
    </li>
  )
}
