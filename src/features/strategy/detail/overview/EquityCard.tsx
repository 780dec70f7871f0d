/* The one big number, the curve it came along, and the period both speak of. */
import { lazy, Suspense, useMemo } from 'react'
import type { Statistics } from '#contract/statistics.ts'
import { number, percent, signedPercent, ymd } from '#text/format.ts'
import { Card } from '#ui/Card.tsx'
import { Delta } from '#ui/Delta.tsx'
import { Fold } from '#ui/Fold.tsx'
import { Masked } from '#ui/Masked.tsx'
import { Segments } from '#ui/Segments.tsx'
import { dayPoints } from './days.ts'
import { PERIODS, type Period } from './periods.ts'
import type { FigureKey } from './words.ts'

// the chart library is heavier than the rest of the page
const EquityChart = lazy(() =>
  import('./EquityChart.tsx').then(({ EquityChart }) => ({ default: EquityChart })),
)
const ROWS = 250

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
  const { summary, curve, initial_capital } = figures
  const points = useMemo(
    () => dayPoints(curve, initial_capital, closed_days),
    [curve, initial_capital, closed_days],
  )
  const name =
    period === 'all' ? '累計淨損益' : `${PERIODS.find(({ value }) => value === period)?.label}淨損益`
  return (
    <Card className="eq" label="權益曲線">
      <div className="eq-head">
        <button type="button" className="eq-big" onClick={() => onFigure('net_profit')}>
          <span className="t13 ink3">{name} · 已扣成本</span>
          <span className="row wrap eq-figure">
            <span className="big">
              <Delta value={summary.net_profit} unit="元" big masked={masked} />
            </span>
            {summary.total_return !== null && summary.trade_count > 0 && (
              <span className="num t16 ink2">{signedPercent(summary.total_return)}</span>
            )}
          </span>
        </button>
        <Segments label="期間" value={period} onChange={onPeriod} options={PERIODS} />
      </div>
      {points.length === 0 ? (
        <p className="eq-none ink3">這段期間沒有平倉的交易。</p>
      ) : (
        <>
          <Suspense fallback={<div className="eqc" role="status" aria-label="圖表載入中" />}>
            <EquityChart
              points={points}
              base={initial_capital ?? 0}
              masked={masked}
              whole={figures.from === null}
            />
          </Suspense>
          <div className="eq-foot">
            <Fold title="以表格看" note={`${number(curve.length)} 筆`}>
              <div className="tb-scroll">
                <table className="tb num eq-table">
                  <thead>
                    <tr>
                      <th>交易日</th>
                      <th className="n">權益</th>
                      <th className="n">回撤</th>
                    </tr>
                  </thead>
                  <tbody>
                    {points
                      .slice(1)
                      .slice(-ROWS)
                      .reverse()
                      .map(({ day, equity, share }) => (
                        <tr key={day}>
                          <td>{ymd(day)}</td>
                          <td className="n">{masked ? <Masked /> : number(equity)}</td>
                          <td className="n">{share ? `−${percent(-share)}` : '0%'}</td>
                        </tr>
                      ))}
                  </tbody>
                </table>
              </div>
            </Fold>
            <p className="t12 ink3">
              圖表使用{' '}
              <a href="https://www.tradingview.com/" target="_blank" rel="noopener noreferrer">
                TradingView Lightweight Charts™
              </a>
              ，Copyright © TradingView, Inc.
            </p>
          </div>
        </>
      )}
    </Card>
  )
}
