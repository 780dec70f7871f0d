/* 發送紀錄: every delivery with its channel, how it stands, why, and 重送 for what did not arrive. */

import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CHANNELS, DELIVERY_STATES } from '#contract/channels.ts'
import { notificationQueries } from '#data/nouns/notification.ts'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { Stale } from '#screen/Stale.tsx'
import { toTop, useAway, useHeld } from '#screen/use-held.ts'
import { CHANNEL_WORDS, DELIVERY_STATE_WORDS } from '#text/notification.ts'
import { serverNow } from '#text/now.ts'
import { dayTitle, taipei } from '#text/time.ts'
import { Button } from '#ui/Button.tsx'
import { ChipSelect } from '#ui/Chips.tsx'
import { EmptyState, FailState } from '#ui/EmptyState.tsx'
import { DayHeader, NewPill } from '#ui/nouns/DayHeader.tsx'
import { More } from '../More.tsx'
import { Waiting } from '../Waiting.tsx'
import css from './DeliveriesTab.module.css'
import { Told } from './Told.tsx'
import { tellings } from './tellings.ts'

const ANY = [{ value: '', label: '全部' }]

export function DeliveriesTab() {
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
        tab: 'deliveries',
        ...(next.channel && { channel: next.channel }),
        ...(next.state && { state: next.state }),
      },
      replace: true,
      resetScroll: false,
    })
  }
  const items = data?.pages.flatMap((page) => page.items) ?? here ?? []
  const { head, away } = useAway()
  const held = useHeld(tellings(items, asked.hasNextPage), away)
  if (data && items.length === 0 && !narrowed && !error)
    return (
      <EmptyState
        card
        title="還沒有發送過通知"
        action={<Button {...go('/signal-notification?tab=setting')}>設定通知</Button>}
      >
        下一筆訊號送到各通道的經過，會一筆一筆記在這裡。
      </EmptyState>
    )
  return (
    <>
      <div className={css.filters} ref={head}>
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
          <ul className={`card flush ${css.rows}`}>
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
          toTop()
        }}
      />
      <More asked={asked}>顯示更早的發送</More>
    </>
  )
}
