/* One curve over all strategies: what was realised by the end of each trading date, from the records on this device. */
import { useDeferredValue, useMemo } from 'react'
import type { StatsSummary } from '#contract/statistics.ts'
import { ymd } from '#text/format.ts'
import { curveOfDays, realisedByDate } from '#trading/day.ts'
import { MiniCurve } from '#ui/Figures.tsx'
import { Delta } from '#ui/nouns/Delta.tsx'
import { cx } from '#ui/open.ts'
import css from './cards.module.css'
import { useRecords } from './data.tsx'

const [FIRST, LAST] = ['0000-01-01', '9999-12-31']

/** Nothing where fewer than two of `strategies` have closed a trade: one has its own curve. `masked` privacy mode. */
export function AllCurve({
  strategies,
  masked,
  card = false,
}: {
  strategies: readonly { readonly summary: Pick<StatsSummary, 'trade_count'> }[]
  masked: boolean
  /** On a ground of its own; else inside another card. */
  card?: boolean
}) {
  const { items: newest, state, complete, total_known } = useRecords()
  // the list itself comes first
  const items = useDeferredValue(newest)
  const coming = state === 'loading' || newest.length < total_known
  const points = useMemo(
    () => (coming ? [] : curveOfDays(realisedByDate(items, FIRST, LAST))),
    [coming, items],
  )
  if (strategies.filter(({ summary }) => summary.trade_count > 0).length < 2) return null
  const [first, last] = [points[0], points.at(-1)]
  return (
    <section className={cx(css.all, card && cx('card', css.allCard))} aria-label="全部策略的損益">
      <div>
        <p className="t13 ink3 num nowrap">
          {complete || !first ? '全部已實現' : '裝置上已實現'}
          {first && `・自 ${ymd(first.trading_date)}`}
        </p>
        {/* the height of a figure while the records are on their way */}
        <p className={css.allSum}>{last ? <Delta value={last.equity} unit="元" masked={masked} /> : '—'}</p>
      </div>
      <span className={css.allCurve}>
        {last && (
          <MiniCurve
            points={[0, ...points.map(({ equity }) => equity)]}
            base={0}
            height={56}
            label="全部策略的累計已實現損益"
          />
        )}
      </span>
    </section>
  )
}
