/* /strategies/{id}: who and where it stands, and its tabs in the address. The signals come from the route: features do not know each other. */
import { useLocation, useRouter, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { isWhole } from '#data/nouns/figures.ts'
import { asksShort, keepNoteImages, strategyWithPending } from '#data/nouns/strategy.ts'
import { whenIdle } from '#screen/after-paint.ts'
import { useCtx, useRecords } from '#screen/data.tsx'
import { ReadFailure } from '#screen/Elsewhere.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { useOutbox } from '#screen/outbox.ts'
import { useTitle } from '#screen/title.ts'
import { useWithPending } from '#screen/use-with-pending.ts'
import { isSignal } from '#trading/day.ts'
import { cx } from '#ui/open.ts'
import { PageHead } from '#ui/PageHead.tsx'
import { Tabs } from '#ui/Segments.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Header } from './detail/Header.tsx'
import { Notices } from './detail/Notices.tsx'
import { ManualGate } from './manual/ManualGate.tsx'
import css from './StrategyDetailPage.module.css'
import { useStrategy } from './use-strategy.ts'

// one strategy in a hundred asks it
const ShortQuestion = lazy(() =>
  import('./ShortQuestion.tsx').then(({ ShortQuestion }) => ({ default: ShortQuestion })),
)

// members have no settings, and readers of signals need not wait for the forms
const SettingsTab = lazy(() =>
  import('./detail/SettingsTab.tsx').then(({ SettingsTab }) => ({ default: SettingsTab })),
)

// charts and folding are only for those who look at them
const OverviewTab = lazy(() =>
  import('./detail/OverviewTab.tsx').then(({ OverviewTab }) => ({ default: OverviewTab })),
)
const TradesTab = lazy(() =>
  import('./detail/trades/TradesTab.tsx').then(({ TradesTab }) => ({ default: TradesTab })),
)

/** Tabs of their own until there were four: addresses that were written down lead to where it stands now. */
const OLD = {
  positions: 'tab=overview&part=positions',
  stocks: 'tab=overview&part=stocks',
  note: 'tab=overview&part=note',
  rules: 'tab=settings&part=rules',
  original: 'tab=settings&part=original',
} as const
/** Who writes the note reads it beside what else is set. */
const EDITED = 'tab=settings&part=about'

/** `signals` the list of this strategy's records. */
export type StrategyDetailPageProps = { strategy_id: string; signals: ReactNode }

const BACK = { href: '/strategies', label: '策略列表' }

export function StrategyDetailPage({ strategy_id, signals }: StrategyDetailPageProps) {
  const { open } = useGo()
  const { history } = useRouter()
  const { pathname } = useLocation()
  const { tab, signal, part }: { tab?: unknown; signal?: unknown; part?: unknown } = useSearch({
    strict: false,
  })
  const { data, dataUpdatedAt, error, isFetching, refetch } = useStrategy(strategy_id)
  const { items } = useRecords(strategy_id)
  const outbox = useOutbox()
  const laid = useMemo(
    () => (data ? [strategyWithPending(data, outbox, dataUpdatedAt)] : []),
    [data, outbox, dataUpdatedAt],
  )
  const [strategy] = useWithPending(laid)
  const usual = useUsualTab(strategy)
  const old = tab === 'note' && strategy?.can.includes('edit') ? EDITED : OLD[tab as keyof typeof OLD]
  const moved = strategy && old !== undefined ? `${pathname}?${old}` : null
  useEffect(() => {
    // once an address, however often this is drawn until the router has arrived
    if (moved !== null) history.replace(moved)
  }, [moved, history])
  useTitle(strategy?.name)
  useKeptImages(strategy)
  const back = { ...BACK, onOpen: () => open(BACK.href) }

  if (!strategy)
    return (
      <div className="page">
        {error ? (
          <>
            <PageHead title="策略" back={back} />
            <ReadFailure
              card
              error={error}
              what="這個策略"
              back={BACK}
              onRetry={() => void refetch()}
              busy={isFetching}
            >
              {failureSentence(error, '已存下的訊號不受影響，')}
            </ReadFailure>
          </>
        ) : (
          <Skeleton type="detail" label="策略載入中" title="策略" />
        )}
      </div>
    )

  const tabs = [
    { value: 'overview', label: '總覽', href: `${pathname}?tab=overview` },
    {
      value: 'signals',
      label: '訊號',
      href: `${pathname}?tab=signals`,
      count: isWhole(items, strategy.chain_head.chain_seq)
        ? items.filter(isSignal).length
        : strategy.signal_count,
    },
    {
      value: 'trades',
      label: '交易',
      href: `${pathname}?tab=trades`,
      count: strategy.summary.trade_count,
    },
    { value: 'settings', label: '設定', href: `${pathname}?tab=settings` },
  ]
  // A record that is to be opened lies on the signals.
  const at =
    tabs.find(({ value }) => value === tab)?.value ??
    (signal !== undefined
      ? 'signals'
      : old?.startsWith('tab=settings')
        ? 'settings'
        : old
          ? 'overview'
          : usual)
  return (
    <div className={cx(css.root, 'page')}>
      <Header strategy={strategy} back={back} at={at} />
      {asksShort(strategy) && (
        <Suspense fallback={null}>
          <ShortQuestion strategy={strategy} />
        </Suspense>
      )}
      <Notices strategy={strategy} at={at} />
      <Tabs
        low
        className={css.tabs}
        label="策略"
        value={at}
        tabs={tabs}
        onOpen={({ href }) => open(href, true)}
      />
      <div className={css.tab}>
        {at === 'signals' && (
          <Suspense fallback={<Skeleton type="list" label="訊號載入中" />}>{signals}</Suspense>
        )}
        {at === 'overview' && (
          <Suspense fallback={<Skeleton type="detail" label="統計載入中" />}>
            <OverviewTab
              key={strategy.id}
              strategy={strategy}
              recorded={laid[0] ?? strategy}
              part={typeof part === 'string' ? part : null}
            />
          </Suspense>
        )}
        {at === 'trades' && (
          <Suspense fallback={<Skeleton type="list" label="交易載入中" />}>
            <TradesTab key={strategy.id} strategy={strategy} />
          </Suspense>
        )}
        {at === 'settings' && (
          <Suspense fallback={<Skeleton type="list" label="設定載入中" />}>
            <SettingsTab
              key={strategy.id}
              strategy={strategy}
              part={typeof part === 'string' ? part : null}
            />
          </Suspense>
        )}
      </div>
      {data && <ManualGate strategies={[data]} />}
    </div>
  )
}

/**
 * The tab where the address names none: figures of nothing are nothing to begin with. Chosen as the strategy opens: the first trade
 * that closes takes nobody away from the signal they have just sent.
 */
function useUsualTab(strategy: Strategy | undefined): 'signals' | 'overview' {
  const [opened, setOpened] = useState<{ id: string; tab: 'signals' | 'overview' } | null>(null)
  if (!strategy) return 'overview'
  if (opened?.id === strategy.id) return opened.tab
  const tab = strategy.summary.trade_count === 0 ? 'signals' : 'overview'
  setOpened({ id: strategy.id, tab })
  return tab
}

// Once a strategy stands on the screen, the pictures of its note come to the device: the note is whole when the network is not there.

/** Not for who saves data: then they come when the note is opened. */
const saves = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true

function useKeptImages(strategy: Pick<Strategy, 'id' | 'note'> | undefined): void {
  const ctx = useCtx()
  const { id, note } = strategy ?? {}
  useEffect(() => {
    if (!id || !note || saves()) return
    return whenIdle(() => void keepNoteImages(ctx, { id, note }))
  }, [ctx, id, note])
}
