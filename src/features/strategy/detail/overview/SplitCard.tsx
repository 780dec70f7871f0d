/* 多空與日夜: the same few figures side by side for the parts of the record. */
import type { Statistics } from '#contract/statistics.ts'
import { Card } from '#ui/Card.tsx'
import { cx } from '#ui/open.ts'
import type { OverviewPart } from './parts.ts'
import css from './SplitCard.module.css'
import { FIGURES, type FigureKey, figureText } from './words.ts'

const KEYS: readonly FigureKey[] = [
  'net_profit',
  'trade_count',
  'win_rate',
  'profit_factor',
  'payoff_ratio',
  'expectancy',
  'avg_win',
  'avg_loss',
  'max_drawdown',
]

/** `night` whether the market has a night session. */
export type SplitCardProps = {
  figures: Statistics
  night: boolean
  masked: boolean
  onFigure: (key: FigureKey, part: OverviewPart) => void
}

export function SplitCard({ figures, night, masked, onFigure }: SplitCardProps) {
  const parts: { part: OverviewPart; label: string }[] = [
    { part: 'long', label: '多' },
    { part: 'short', label: '空' },
    ...(night
      ? ([
          { part: 'day', label: '日盤' },
          { part: 'night', label: '夜盤' },
        ] as const)
      : []),
  ]
  const outside = figures.summary.trade_count - figures.day.trade_count - figures.night.trade_count
  return (
    <Card
      title={night ? '多空與日夜盤' : '多空'}
      remark={
        night && (
          <span className="t13 ink3">
            {outside > 0 ? `另有 ${outside} 筆在非交易時段平倉` : '日夜依平倉的時間'}
          </span>
        )
      }
      flush
    >
      <div className={css.scroll}>
        <table className={cx(css.table, 'num')}>
          <thead>
            <tr>
              <th>
                <span className="vh">數字</span>
              </th>
              {parts.map(({ part, label }) => (
                <th key={part} className={cx(css.part, 'n')} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {KEYS.map((key) => (
              <tr key={key}>
                <th scope="row">{FIGURES[key].label}</th>
                {parts.map(({ part, label }) => (
                  <td key={part} className={cx(css.part, 'n')}>
                    <button
                      type="button"
                      className={
                        key === 'net_profit' && !masked ? toneOf(figures[part].net_profit) : undefined
                      }
                      aria-label={`${label}${FIGURES[key].label} ${figureText(key, figures[part], masked)}`}
                      onClick={() => onFigure(key, part)}
                    >
                      {figureText(key, figures[part], masked)}
                    </button>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

function toneOf(value: number): 'up' | 'down' | undefined {
  return value > 0 ? 'up' : value < 0 ? 'down' : undefined
}
