/* 總覽: what the strategy has made, how, and why the figures are what they are. */

import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import type { StatsSummary } from '#contract/statistics.ts'
import type { Strategy } from '#contract/strategy.ts'
import { failureSentence } from '#screen/failure.ts'
import { usePrivacy } from '#screen/privacy.ts'
import { when } from '#text/format.ts'
import { serverNow } from '#text/now.ts'
import { ASSET_FACTS, assetOf } from '#trading/kinds.ts'
import { findProduct } from '#trading/products.ts'
import type { Trade } from '#trading/record.ts'
import { Card, Sides } from '#ui/Card.tsx'
import { Banner, EmptyState, FailState, StaleNote } from '#ui/EmptyState.tsx'
import { cx } from '#ui/open.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import css from './OverviewTab.module.css'
import { EquityCard } from './overview/EquityCard.tsx'
import type { Question } from './overview/Opened.tsx'
import { fromOf, type Period } from './overview/periods.ts'
import { FigureRows, MonthCard, SplitCard, StatsCard } from './overview/StatsCard.tsx'
import type { FigureKey, OverviewPart } from './overview/words.ts'
import { HistoryCard } from './positions/HistoryCard.tsx'
import { PositionList } from './positions/PositionsTab.tsx'
import { gapsShown } from './positions/rows.ts'
import { useFigures } from './use-figures.ts'

// asked of few, and opened by a press: the figures do not wait for them
const PositionsAsked = lazy(() =>
  import('./positions/Asked.tsx').then(({ PositionsAsked }) => ({ default: PositionsAsked })),
)
const Opened = lazy(() => import('./overview/Opened.tsx').then(({ Opened }) => ({ default: Opened })))
const TradeSheet = lazy(() =>
  import('./trades/TradeSheet.tsx').then(({ TradeSheet }) => ({ default: TradeSheet })),
)
const StocksTab = lazy(() =>
  import('./stocks/StocksTab.tsx').then(({ StocksTab }) => ({ default: StocksTab })),
)
// the reader of Markdown is only for who opens a note
const NoteTab = lazy(() => import('./NoteTab.tsx').then(({ NoteTab }) => ({ default: NoteTab })))

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

/** Parts that an address may lead to. */
type Part = 'positions' | 'stocks' | 'note'

/** `strategy` with what waits on this device laid over it, `recorded` without; `part` of the address. */
export type OverviewTabProps = { strategy: Strategy; recorded: Strategy; part: string | null }

export function OverviewTab({ strategy, recorded, part: meant }: OverviewTabProps) {
  const { on: masked } = usePrivacy()
  const [period, setPeriod] = useState<Period>('all')
  const [part, setPart] = useState<OverviewPart>('summary')
  const [question, setQuestion] = useState<Question | null>(null)
  const [trade, setTrade] = useState<Trade | null>(null)
  const now = serverNow()
  const figures = useFigures(strategy, fromOf(period, now))
  const { data, error } = figures
  if (!data && !error) return <Skeleton type="detail" label="統計計算中" />
  const night =
    strategy.kind === 'futures' && (findProduct(strategy.settings.product_code)?.has_night ?? false)
  // a percent of a capital that nobody has given is none
  const open = strategy.assumed?.includes('initial_capital') === true
  const shown =
    data && open
      ? { ...data, summary: inMoney(data.summary), long: inMoney(data.long), short: inMoney(data.short) }
      : data
  const ask = (key: FigureKey, of: OverviewPart = part) => setQuestion({ figure: key, part: of })
  const traded = data && shown && !(period === 'all' && data.summary.trade_count === 0)
  const positions = (
    <Section part="positions" meant={meant} wide>
      <PositionList strategy={strategy} recorded={recorded} now={now} masked={masked} />
    </Section>
  )
  return (
    <div className="stack">
      {data && error !== null && figures.as_of !== null && (
        <StaleNote offline={false} time={when(figures.as_of, now)} />
      )}
      {traded && figures.missing_years.length > 0 && (
        <Banner tone="warn" icon="calendar">
          {figures.missing_years.join('、')} 年的休市日還沒有資料，那一年的交易日以週一到週五計算。
          伺服器管理者補上休市日之後，日期與統計會自動更正。
        </Banner>
      )}
      {traded && data.basis === 'visible' && strategy.access && (
        <Banner icon="info">
          統計自 {strategy.access.visible_from.replaceAll('-', '/')} 起，也就是你開始看得到這個策略的那一天。
        </Banner>
      )}
      {((recorded.expiries?.length ?? 0) > 0 || gapsShown(recorded.position_gaps).length > 0) && (
        <Suspense fallback={null}>
          <PositionsAsked recorded={recorded} />
        </Suspense>
      )}
      {traded ? (
        <Sides columns="minmax(0, 1fr) 360px" className={css.root} by={figures.by}>
          <EquityCard
            name={strategy.name}
            figures={shown}
            closed_days={figures.closed_days}
            period={period}
            onPeriod={setPeriod}
            masked={masked}
            onFigure={(key) => ask(key, 'summary')}
            onDay={(day) => setQuestion({ day })}
          />
          {positions}
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
      ) : (
        <>
          {data ? (
            <EmptyState card title="還沒有平倉的交易">
              {strategy.signal_count === 0
                ? '訊號進來並平倉之後，權益曲線與統計會出現在這裡。'
                : '部位平倉之後，權益曲線與統計會出現在這裡。'}
              {data.summary.excluded_count > 0 &&
                `有 ${data.summary.excluded_count} 筆缺價格或價格可疑，補上或確認後才會計入。`}
            </EmptyState>
          ) : (
            <FailState card title="算不出統計" onRetry={figures.retry} busy={figures.busy}>
              {failureSentence(error, '紀錄都還在，')}
            </FailState>
          )}
          {positions}
        </>
      )}
      {ASSET_FACTS[assetOf(strategy)].each !== null && strategy.signal_count > 0 && (
        <Suspense fallback={null}>
          <Section part="stocks" meant={meant}>
            <StocksTab strategy={strategy} />
          </Section>
        </Suspense>
      )}
      {recorded.signal_count > 0 && <HistoryCard strategy={recorded} now={now} />}
      {/* who edits it reads it where it is written */}
      {!strategy.can.includes('edit') && (
        <Suspense fallback={null}>
          <Section part="note" meant={meant}>
            <NoteTab strategy={strategy} />
          </Section>
        </Suspense>
      )}
      <Suspense fallback={null}>
        {question && data && (
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
      </Suspense>
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

/** Comes into sight where the address means it. `wide` over both sides. */
function Section({
  part,
  meant,
  wide = false,
  children,
}: {
  part: Part
  meant: string | null
  wide?: boolean
  children: ReactNode
}) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (meant === part) box.current?.scrollIntoView({ block: 'start' })
  }, [meant, part])
  return (
    <div ref={box} className={cx(css.section, wide && css.wide)}>
      {children}
    </div>
  )
}
