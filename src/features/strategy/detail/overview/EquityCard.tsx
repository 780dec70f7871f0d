/* The one big number, the curve it came along, and the period both speak of. */
import { lazy, Suspense, useMemo, useState } from 'react'
import type { Statistics } from '#contract/statistics.ts'
import { number, signedPercent } from '#text/format.ts'
import { Card } from '#ui/Card.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Delta } from '#ui/nouns/Delta.tsx'
import { cx } from '#ui/open.ts'
import { Segments } from '#ui/Segments.tsx'
import { dayPoints } from './days.ts'
import css from './EquityCard.module.css'
import equityChartCss from './EquityChart.module.css'
import { EquityTable } from './EquityTable.tsx'
import { PERIODS, type Period } from './periods.ts'
import type { FigureKey } from './words.ts'

// the chart library is heavier than the rest of the page
const EquityChart = lazy(() =>
  import('./EquityChart.tsx').then(({ EquityChart }) => ({ default: EquityChart })),
)

export type EquityCardProps = {
  figures: Statistics
  closed_days: readonly string[]
  period: Period
  onPeriod: (period: Period) => void
  masked: boolean
  onFigure: (key: FigureKey) => void
}

export function EquityCard(props: EquityCardProps) {
  const { figures, closed_days, period, onPeriod, masked, onFigure } = props
  const { summary } = figures
  const [listed, setListed] = useState(false)
  const points = useMemo(() => dayPoints(figures, closed_days), [figures, closed_days])
  const name =
    period === 'all' ? '累計淨損益' : `${PERIODS.find(({ value }) => value === period)?.label}淨損益`
  return (
    <Card className={css.root} label="權益曲線">
      <div className={css.head}>
        <button type="button" className={css.big} onClick={() => onFigure('net_profit')}>
          <span className="t13 ink3">{name} · 已扣成本</span>
          <span className={cx(css.figure, 'row wrap')}>
            <Delta value={summary.net_profit} unit="元" big masked={masked} />
            {summary.total_return !== null && summary.trade_count > 0 && (
              <span className="num t16 ink2">{signedPercent(summary.total_return)}</span>
            )}
          </span>
        </button>
        <div className={css.period}>
          <Segments fill label="期間" value={period} onChange={onPeriod} options={PERIODS} />
        </div>
      </div>
      {points.length === 0 ? (
        <p className={cx(css.none, 'ink3')}>這段期間沒有平倉的交易。</p>
      ) : (
        <>
          <div className={css.view}>
            <Suspense
              fallback={<div className={equityChartCss.root} role="status" aria-label="圖表載入中" />}
            >
              <EquityChart points={points} figures={figures} masked={masked} />
            </Suspense>
            {listed && <EquityTable points={points} masked={masked} />}
          </div>
          <div className={css.foot}>
            <button
              type="button"
              className={css.switch}
              aria-pressed={listed}
              onClick={() => setListed(!listed)}
            >
              <Icon name={listed ? 'strategy' : 'rows'} size={16} />
              {listed ? '看圖' : '以表格看'}
              <span className="sp" />
              <span className="num t13 ink3">{number(points.length - 1)} 個交易日</span>
            </button>
          </div>
        </>
      )}
    </Card>
  )
}
