/* /strategies: my strategies, as cards or as a table, found by name, product or tag. */

import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { AllCurve } from '#screen/AllCurve.tsx'
import { useWide } from '#screen/browser.ts'
import { Stale } from '#screen/Connection.tsx'
import { useCtx } from '#screen/data.tsx'
import { prefs } from '#screen/device.ts'
import { failureSentence } from '#screen/failure.ts'
import { useGo } from '#screen/go.ts'
import { CreateStrategy } from '#screen/ListActions.tsx'
import { Pull } from '#screen/Pull.tsx'
import { useMay, useProfile } from '#screen/profile.ts'
import { preferences } from '#state/preferences.ts'
import { ASSET_FACTS } from '#trading/kinds.ts'
import { Button } from '#ui/Button.tsx'
import { Banner, EmptyState, FailState } from '#ui/EmptyState.tsx'
import { PageHead } from '#ui/PageHead.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { GroupedStrategies } from './list/GroupedStrategies.tsx'
import { LongCards, StrategyCards } from './list/StrategyCards.tsx'
import { LongTable, StrategyTable } from './list/StrategyTable.tsx'
import { ListHead, Toolbar } from './list/Toolbar.tsx'
import { useBell } from './list/use-bell.ts'
import { useFilters, useList } from './list/use-strategies.ts'
import { ManualGate } from './manual/ManualGate.tsx'
import css from './StrategyListPage.module.css'

export function StrategyListPage() {
  const { filters, change } = useFilters()
  const list = useList(filters)
  const bell = useBell()
  const wide = useWide()
  const { go } = useGo()
  const may_create = useMay('strategy:create')
  const { profile } = useProfile()
  const shared = useCtx() === 'personal' && (profile?.organizations.length ?? 0) > 0
  const { privacy, strategy_list } = useSnapshot(preferences)
  const [hint, setHint] = useState(() => !preferences.visited_strategies)
  useEffect(() => prefs.visit_strategies(), [])

  if (!list.ready)
    return (
      <div className="page">
        {list.error ? (
          <>
            <PageHead title="策略列表" />
            <FailState card title="讀不到策略" busy={list.busy} onRetry={list.retry}>
              {failureSentence(list.error, '')}
            </FailState>
          </>
        ) : (
          <Skeleton type="list" title="策略列表" />
        )}
      </div>
    )
  const filtered = Boolean(filters.status || filters.tag || filters.direction || filters.search.trim())
  const table = wide && strategy_list.view_mode === 'table'
  const [View, Long] = table ? [StrategyTable, LongTable] : [StrategyCards, LongCards]
  const grouped = !list.long && list.items.some(({ access }) => access !== null)
  return (
    <div className="page">
      <Pull />
      <ListHead search={filters.search} onSearch={(search) => change({ search })} searchable={!list.none} />
      {list.error && <Stale at={list.as_of} />}
      {list.none ? (
        <EmptyState
          card
          title="還沒有策略"
          action={
            may_create ? (
              <CreateStrategy>
                {(link) => (
                  <Button kind="filled" {...link}>
                    建立策略
                  </Button>
                )}
              </CreateStrategy>
            ) : (
              <Button {...go('/organizations/info')}>看組織詳情</Button>
            )
          }
        >
          {!may_create
            ? '目前沒有可檢視的策略，請洽組織管理者。管理者把你和策略放進同一個群組後，就會出現在這裡。'
            : shared
              ? '這裡放你自己的策略；組織分享給你的，切換到那個組織就看得到。'
              : '建立第一個，接上 TradingView 只要兩分鐘。'}
        </EmptyState>
      ) : (
        <>
          <AllCurve strategies={list.all} masked={privacy} card />
          <Toolbar
            filters={filters}
            change={change}
            counts={list.counts}
            tags={list.tags}
            view={strategy_list.view_mode}
            onView={(view_mode) => prefs.set_strategy_list({ view_mode })}
          />
          {hint && list.items.length > 0 && (
            <div className={css.hint}>
              <Banner icon="info" onClose={() => setHint(false)}>
                點一張卡片看它的訊號與損益。
              </Banner>
            </div>
          )}
          {list.items.length > 0 ? (
            list.long ? (
              <Long {...list.long} wide={wide} bell={bell} masked={privacy} />
            ) : grouped ? (
              <GroupedStrategies items={list.items} bell={bell} masked={privacy} table={table} />
            ) : (
              <View items={list.items} bell={bell} masked={privacy} />
            )
          ) : (
            <EmptyState
              card
              title={filtered ? '沒有符合條件的策略' : `還沒有${ASSET_FACTS[filters.kind].name}策略`}
              action={
                filtered && (
                  <Button size="s" onClick={() => change({ status: '', tag: '', direction: '', search: '' })}>
                    清除條件
                  </Button>
                )
              }
            >
              {filtered ? '換個字，或清除條件再看一次。' : '其他策略在另一個分頁。'}
            </EmptyState>
          )}
          <ManualGate strategies={list.all} />
        </>
      )}
    </div>
  )
}
