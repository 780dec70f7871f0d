/* 統計: the ten figures people look at, for all trades or one side. */
import type { Statistics } from '#contract/statistics.ts'
import { useGo } from '#screen/go.ts'
import { MASK, minus, number, percent } from '#text/format.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { cx } from '#ui/open.ts'
import { Segments } from '#ui/Segments.tsx'
import { equityText } from './equity.ts'
import { FigureRows } from './FigureRows.tsx'
import type { OverviewPart } from './parts.ts'
import css from './StatsCard.module.css'
import type { FigureKey } from './words.ts'

const KEYS: readonly FigureKey[] = [
  'win_rate',
  'profit_factor',
  'payoff_ratio',
  'expectancy',
  'max_drawdown_pct',
  'sharpe',
  'recovery_factor',
  'trade_count',
  'underwater_days',
  'max_consecutive_losses',
]
const SIDES = [
  { value: 'summary', label: '全部' },
  { value: 'long', label: '多' },
  { value: 'short', label: '空' },
] as const

/** `part` which trades the figures speak of. */
export type StatsCardProps = {
  figures: Statistics
  part: OverviewPart
  onPart: (part: OverviewPart) => void
  masked: boolean
  onFigure: (key: FigureKey) => void
  /** Where the capital is written down, while nobody has. */
  asks: string | null
}

export function StatsCard({ figures, part, onPart, masked, onFigure, asks }: StatsCardProps) {
  const { go } = useGo()
  const summary = figures[part]
  const remark = {
    ...(summary.trade_count > 0 && { win_rate: `${summary.win_count} 勝 ${summary.loss_count} 負` }),
    ...(summary.max_drawdown > 0 && {
      max_drawdown_pct: masked ? MASK : `${minus(number(summary.max_drawdown))} 元`,
    }),
  }
  return (
    <Card
      title="統計"
      className={css.root}
      action={<Segments label="方向" value={part} onChange={onPart} options={SIDES} />}
    >
      <FigureRows keys={KEYS} summary={summary} masked={masked} remark={remark} onFigure={onFigure} />
      {asks !== null && (
        <div className={cx(css.note, 'row gap8')}>
          <p className="t12 ink3 sp">算最大回撤要初始資金。</p>
          <Button size="s" {...go(asks)}>
            填初始資金
          </Button>
        </div>
      )}
      {summary.max_drawdown > 0 && asks === null && (
        <p className={cx(css.note, 't12 ink3')}>
          最大回撤的{equityText(figures, masked, part)}，不含未平倉。
        </p>
      )}
      {summary.small_sample && summary.trade_count > 0 && (
        <p className={cx(css.note, 't12 ink3')}>
          只有 {summary.trade_count} 筆，樣本數少，僅供參考
          {summary.trade_count > 1 &&
            summary.win_rate !== null &&
            `（勝率 ${percent(summary.win_rate, 0)} 可能只是運氣）`}
          。
        </p>
      )}
    </Card>
  )
}
