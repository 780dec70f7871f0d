/* /strategies/{id}: who and where it stands, and its tabs in the address. The signals come from the route: features do not know each other. */
import { useLocation, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { isWhole } from '#data/nouns/figures.ts'
import { layStrategy } from '#data/nouns/strategy.ts'
import { ReadFailure } from '#screen/Elsewhere.tsx'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { useOutbox } from '#screen/outbox.ts'
import { useRecords } from '#screen/records.ts'
import { useTitle } from '#screen/title.ts'
import { useLaid } from '#screen/use-laid.ts'
import { isSignal } from '#trading/day.ts'
import { ASSET_FACTS, assetOf, KINDS } from '#trading/kinds.ts'
import { cx } from '#ui/open.ts'
import { PageHead } from '#ui/PageHead.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Tabs } from '#ui/Tabs.tsx'
import { Header } from './detail/Header.tsx'
import { Notices } from './detail/Notices.tsx'
import { ManualGate } from './manual/ManualGate.tsx'
import { useKeptImages } from './note/use-kept-images.ts'
import { asksShort, ShortQuestion } from './ShortQuestion.tsx'
import css from './StrategyDetailPage.module.css'
import { useStrategy } from './use-strategy.ts'

// members have no settings, and readers of signals need not wait for the forms
const SettingsTab = lazy(() =>
  import('./detail/SettingsTab.tsx').then(({ SettingsTab }) => ({ default: SettingsTab })),
)

// charts and folding are only for those who look at them
const LatencyCard = lazy(() =>
  import('./detail/overview/LatencyCard.tsx').then(({ LatencyCard }) => ({ default: LatencyCard })),
)
const OverviewTab = lazy(() =>
  import('./detail/overview/OverviewTab.tsx').then(({ OverviewTab }) => ({ default: OverviewTab })),
)
const TradesTab = lazy(() =>
  import('./detail/trades/TradesTab.tsx').then(({ TradesTab }) => ({ default: TradesTab })),
)
const PositionsTab = lazy(() =>
  import('./detail/positions/PositionsTab.tsx').then(({ PositionsTab }) => ({ default: PositionsTab })),
)

const StocksTab = lazy(() =>
  import('./detail/stocks/StocksTab.tsx').then(({ StocksTab }) => ({ default: StocksTab })),
)

const OriginalTab = lazy(() =>
  import('./original/OriginalTab.tsx').then(({ OriginalTab }) => ({ default: OriginalTab })),
)

const RulesTab = lazy(() =>
  import('./detail/rules/RulesTab.tsx').then(({ RulesTab }) => ({ default: RulesTab })),
)

// the reader of Markdown is only for who opens a note
const NoteTab = lazy(() => import('./detail/NoteTab.tsx').then(({ NoteTab }) => ({ default: NoteTab })))

/** `signals` the list of this strategy's records. */
export type StrategyDetailPageProps = { strategy_id: string; signals: ReactNode }

const BACK = { href: '/strategies', label: '策略列表' }

export function StrategyDetailPage({ strategy_id, signals }: StrategyDetailPageProps) {
  const { open } = useGo()
  const { pathname } = useLocation()
  const { tab, signal }: { tab?: unknown; signal?: unknown } = useSearch({ strict: false })
  const { data, dataUpdatedAt, error, isFetching, refetch } = useStrategy(strategy_id)
  const { items } = useRecords(strategy_id)
  const outbox = useOutbox()
  const laid = useMemo(
    () => (data ? [layStrategy(data, outbox, dataUpdatedAt)] : []),
    [data, outbox, dataUpdatedAt],
  )
  const [strategy] = useLaid(laid)
  const usual = useUsualTab(strategy)
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

  const may_edit = strategy.can.includes('edit')
  const { each, rules } = ASSET_FACTS[assetOf(strategy)]
  const { trade_count } = strategy.summary
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
    { value: 'trades', label: '交易', href: `${pathname}?tab=trades`, count: trade_count },
    { value: 'positions', label: '部位', href: `${pathname}?tab=positions` },
    ...(each === null ? [] : [{ value: 'stocks', label: each, href: `${pathname}?tab=stocks` }]),
    ...(rules === null ? [] : [{ value: 'rules', label: rules, href: `${pathname}?tab=rules` }]),
    ...(may_edit && KINDS[strategy.kind].files
      ? [{ value: 'original', label: '原始資料', href: `${pathname}?tab=original` }]
      : []),
    { value: 'note', label: '說明', href: `${pathname}?tab=note` },
    ...(may_edit ? [{ value: 'settings', label: '設定', href: `${pathname}?tab=settings` }] : []),
  ]
  // A record that is to be opened lies on the signals.
  const at = tabs.find(({ value }) => value === tab)?.value ?? (signal !== undefined ? 'signals' : usual)
  return (
    <div className={cx(css.root, 'page')}>
      <Header strategy={strategy} back={back} />
      {asksShort(strategy) && <ShortQuestion strategy={strategy} />}
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
        {at === 'signals' && signals}
        {at === 'overview' && (
          <Suspense fallback={<Skeleton type="detail" label="統計載入中" />}>
            <OverviewTab key={strategy.id} strategy={strategy}>
              <LatencyCard id={strategy.id} />
            </OverviewTab>
          </Suspense>
        )}
        {at === 'trades' && (
          <Suspense fallback={<Skeleton type="list" label="交易載入中" />}>
            <TradesTab key={strategy.id} strategy={strategy} />
          </Suspense>
        )}
        {at === 'positions' && (
          <Suspense fallback={<Skeleton type="list" label="部位載入中" />}>
            <PositionsTab key={strategy.id} strategy={strategy} recorded={laid[0] ?? strategy} />
          </Suspense>
        )}
        {at === 'stocks' && (
          <Suspense fallback={<Skeleton type="list" label="個股統計載入中" />}>
            <StocksTab key={strategy.id} strategy={strategy} />
          </Suspense>
        )}
        {at === 'rules' && (
          <Suspense fallback={<Skeleton type="list" label="訊號設定載入中" />}>
            <RulesTab key={strategy.id} strategy={strategy} />
          </Suspense>
        )}
        {at === 'original' && (
          <Suspense fallback={<Skeleton type="list" label="原始資料載入中" />}>
            <OriginalTab key={strategy.id} strategy={strategy} />
          </Suspense>
        )}
        {at === 'note' && (
          <Suspense fallback={<Skeleton type="detail" label="說明載入中" />}>
            <NoteTab strategy={strategy} />
          </Suspense>
        )}
        {at === 'settings' && (
          <Suspense fallback={<Skeleton type="list" label="設定載入中" />}>
            <SettingsTab strategy={strategy} />
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
