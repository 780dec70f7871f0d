/* 個股統計: what each stock of the strategy has made and what is held of it, for a period. */

import { useState } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { useWide } from '#screen/browser.ts'
import { failureSentence } from '#screen/failure.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { number, when } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { STOCK_SORTS, type StockRow, type StockSort, sortedStocks } from '#trading/stock-statistics.ts'
import { Button } from '#ui/Button.tsx'
import { Banner, EmptyState, FailState, StaleNote } from '#ui/EmptyState.tsx'
import { ChipSelect, Segments } from '#ui/Segments.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { fromOf, PERIODS, type Period } from '../overview/periods.ts'
import { useStocks } from '../use-figures.ts'
import { StockLines } from './StockLines.tsx'
import { StockSheet } from './StockSheet.tsx'
import css from './StocksTab.module.css'
import { StocksTable } from './StocksTable.tsx'
import { ORDERS } from './words.ts'

const AT_ONCE = 100

export function StocksTab({ strategy }: { strategy: Strategy }) {
  const { on: masked } = usePrivacy()
  const wide = useWide()
  const [period, setPeriod] = useState<Period>('all')
  const [sort, setSort] = useState<StockSort>('net_pnl')
  const [most, setMost] = useState(AT_ONCE)
  const [opened, setOpened] = useState<StockRow | 'all' | null>(null)
  const { data, error, as_of, retry, busy, by } = useStocks(strategy, fromOf(period, serverNow()))
  if (!data)
    return error ? (
      <FailState card title="算不出個股統計" onRetry={retry} busy={busy}>
        {failureSentence(error, '紀錄都還在，')}
      </FailState>
    ) : (
      <Skeleton type="list" label="個股統計計算中" />
    )
  if (period === 'all' && data.rows.length === 0) return null
  const rows = sortedStocks(data.rows, sort)
  const shown = rows.slice(0, most)
  const parts = { rows: shown, total: data.total, masked, onOpen: setOpened }
  return (
    <div className="stack" data-by={by}>
      {error !== null && as_of !== null && <StaleNote offline={false} time={when(as_of, serverNow())} />}
      {data.basis === 'visible' && strategy.access && (
        <Banner icon="info">
          個股統計自 {strategy.access.visible_from.replaceAll('-', '/')}{' '}
          起，也就是你開始看得到這個策略的那一天。
        </Banner>
      )}
      <div className={css.head}>
        <h2>個股統計</h2>
        <ChipSelect
          label="排序"
          value={sort}
          onChange={setSort}
          options={STOCK_SORTS.map((value) => ({ value, label: ORDERS[value] }))}
          says={ORDERS[sort]}
        />
        <Segments fill label="期間" value={period} onChange={setPeriod} options={PERIODS} />
      </div>
      {rows.length === 0 ? (
        <EmptyState card title="這段期間沒有訊號與交易">
          換一段期間再看。
        </EmptyState>
      ) : wide ? (
        <StocksTable {...parts} sort={sort} onSort={setSort} />
      ) : (
        <StockLines {...parts} />
      )}
      {rows.length > most && (
        <Button wide onClick={() => setMost(most + AT_ONCE)}>
          再列出 {number(Math.min(AT_ONCE, rows.length - most))} 檔
        </Button>
      )}
      <p className="t12 ink3">
        期間依平倉的交易日；持有、均價與參考價是現在的。參考價是最後一筆訊號的價格，不是即時行情；未實現損益未扣出場成本。
      </p>
      {opened && (
        <StockSheet
          of={opened === 'all' ? data.total : opened}
          row={opened === 'all' ? null : opened}
          strategy_id={strategy.id}
          masked={masked}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  )
}
