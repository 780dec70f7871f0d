/* 總覽: what the strategy has made, how, and why the figures are what they are. */

import { type ReactNode, useState } from 'react'
import type { StatsSummary } from '#contract/statistics.ts'
import type { Strategy } from '#contract/strategy.ts'
import { failureSentence } from '#screen/failure.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { when } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { findProduct } from '#trading/products.ts'
import type { Trade } from '#trading/record.ts'
import { Banner, StaleNote } from '#ui/Banner.tsx'
import { Card, Sides } from '#ui/Card.tsx'
import { EmptyState, FailState } from '#ui/EmptyState.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TradeSheet } from '../trades/TradeSheet.tsx'
import { useFigures } from '../use-figures.ts'
import { EquityCard } from './EquityCard.tsx'
import { FigureRows } from './FigureRows.tsx'
import { MonthCard } from './MonthCard.tsx'
import { Opened, type Question } from './Opened.tsx'
import css from './OverviewTab.module.css'
import type { OverviewPart } from './parts.ts'
import { fromOf, type Period } from './periods.ts'
import { SplitCard } from './SplitCard.tsx'
import { StatsCard } from './StatsCard.tsx'
import type { FigureKey } from './words.ts'

const DETAIL: readonly FigureKey[] = [
  'total_gross',
  'total_fee',
  'total_tax',
  'total_slippage',
  'avg_win',
  'avg_loss',
  'largest_win',
  'largest_loss',
  'avg_holding_minutes',
  'max_consecutive_wins',
]

/** `children` stands at the end, once what is above it has its height. */
export function OverviewTab({ strategy, children }: { strategy: Strategy; children: ReactNode }) {
  const { on: masked } = usePrivacy()
  const [period, setPeriod] = useState<Period>('all')
  const [part, setPart] = useState<OverviewPart>('summary')
  const [question, setQuestion] = useState<Question | null>(null)
  const [trade, setTrade] = useState<Trade | null>(null)
  const figures = useFigures(strategy, fromOf(period, serverNow()))
  const { data, error } = figures
  if (!data)
    return error ? (
      <FailState card title="算不出統計" onRetry={figures.retry} busy={figures.busy}>
        {failureSentence(error, '紀錄都還在，')}
      </FailState>
    ) : (
      <Skeleton type="detail" label="統計計算中" />
    )
  if (period === 'all' && data.summary.trade_count === 0)
    return (
      <>
        <EmptyState card title="還沒有平倉的交易">
          {strategy.signal_count === 0
            ? '訊號進來並平倉之後，權益曲線與統計會出現在這裡。'
            : '部位平倉之後，權益曲線與統計會出現在這裡。未平倉的損益在上方。'}
          {data.summary.excluded_count > 0 &&
            `有 ${data.summary.excluded_count} 筆缺價格或價格可疑，補上或確認後才會計入。`}
        </EmptyState>
        {children}
      </>
    )
  const night =
    strategy.kind === 'futures' && (findProduct(strategy.settings.product_code)?.has_night ?? false)
  // a percent of a capital that nobody has given is none
  const open = strategy.assumed?.includes('initial_capital') === true
  const shown = open
    ? { ...data, summary: inMoney(data.summary), long: inMoney(data.long), short: inMoney(data.short) }
    : data
  const ask = (key: FigureKey, of: OverviewPart = part) => setQuestion({ figure: key, part: of })
  return (
    <div className="stack">
      {error !== null && figures.as_of !== null && (
        <StaleNote offline={false} time={when(figures.as_of, serverNow())} />
      )}
      {figures.missing_years.length > 0 && (
        <Banner tone="warn" icon="calendar">
          {figures.missing_years.join('、')} 年的休市日還沒有資料，那一年的交易日以週一到週五計算。
          伺服器管理者補上休市日之後，日期與統計會自動更正。
        </Banner>
      )}
      {data.basis === 'visible' && strategy.access && (
        <Banner icon="info">
          統計自 {strategy.access.visible_from.replaceAll('-', '/')} 起，也就是你開始看得到這個策略的那一天。
        </Banner>
      )}
      <Sides columns="minmax(0, 1fr) 360px" className={css.root} by={figures.by}>
        <EquityCard
          figures={shown}
          closed_days={figures.closed_days}
          period={period}
          onPeriod={setPeriod}
          masked={masked}
          onFigure={(key) => ask(key, 'summary')}
        />
        <StatsCard
          figures={shown}
          part={part}
          onPart={setPart}
          masked={masked}
          onFigure={ask}
          asks={open && strategy.can.includes('edit') ? `/strategies/${strategy.id}/edit` : null}
        />
        {data.monthly.length > 0 && (
          <MonthCard figures={data} masked={masked} onMonth={(month) => setQuestion({ month })} />
        )}
        <SplitCard figures={data} night={night} masked={masked} onFigure={ask} />
        <Card title="明細" className={css.details}>
          <FigureRows
            keys={DETAIL}
            summary={data.summary}
            masked={masked}
            onFigure={(key) => ask(key, 'summary')}
          />
        </Card>
      </Sides>
      {children}
      {question && (
        <Opened
          question={question}
          strategy={strategy}
          figures={data}
          closed_days={figures.closed_days}
          night={night}
          masked={masked}
          onTrade={setTrade}
          onClose={() => setQuestion(null)}
        />
      )}
      {trade && (
        <TradeSheet trade={trade} strategy={strategy} masked={masked} onClose={() => setTrade(null)} />
      )}
    </div>
  )
}

/** Without what is told in percent of the capital. */
const inMoney = (summary: StatsSummary): StatsSummary => ({
  ...summary,
  total_return: null,
  max_drawdown_pct: null,
  sharpe: null,
})
