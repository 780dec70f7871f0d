/* The three cards that lead the page (ruling C28): 已實現損益, 持倉中策略, 今日訊號. On phones the first one carries all three. */

import { memo } from 'react'
import type { Dashboard } from '#contract/dashboard.ts'
import { number } from '#text/format.ts'
import type { Day } from '#trading/day.ts'
import { ASSET_FACTS, assetOf } from '#trading/kinds.ts'
import { Figures } from '#ui/Figures.tsx'
import { MiniCurve, StepLine } from '#ui/MiniCurve.tsx'
import { Delta } from '#ui/nouns/Delta.tsx'
import { cx } from '#ui/open.ts'
import { dayWords, floatingOf } from './day.ts'
import { Floating } from './Floating.tsx'
import css from './Lead.module.css'
import { OpenStrategies } from './OpenStrategies.tsx'
import { TodayCard } from './TodayCard.tsx'

/** `day` what the device's records say about the trading date; `date` the calendar's; `market` short words for phones; `masked` privacy mode; `wide` from 768 px on. */
export type LeadProps = {
  board: Dashboard
  day: Day
  date: string
  market: string
  masked: boolean
  wide: boolean
}

export const Lead = memo(function Lead({ board, day, date, market, masked, wide }: LeadProps) {
  const { today, month, strategies, open_strategy_count: open } = board
  const floating = floatingOf(board)
  const words = dayWords(
    date,
    today.trading_date,
    strategies.length === 0 || strategies.some((one) => ASSET_FACTS[assetOf(one)].has_night),
  )
  // Members of an organization that keeps its figures to itself: positions lead, and no money (mockups).
  const money = today.realised_pnl !== null
  return (
    <div className={money ? css.root : cx(css.root, css.noMoney)}>
      {money && (
        <section className={cx(css.money, 'card')} aria-label="已實現損益">
          <div className={css.top}>
            <h2 className="t13 ink3 num">{words.realised}</h2>
            <div className={css.figure}>
              <Delta big="lead" value={today.realised_pnl} unit="元" masked={masked} />
            </div>
            {!wide && <span className={cx(css.market, 't13 ink3 num')}>{market}</span>}
            <div className={css.line}>
              <StepLine points={day.line} label={`${words.realised}走勢`} />
            </div>
          </div>
          {wide ? (
            <Figures
              framed
              figures={[
                {
                  label: words.month,
                  value: <Delta value={month.realised_pnl} arrow={false} masked={masked} />,
                },
                {
                  label: '本月走勢',
                  value: (
                    <span className={css.month}>
                      {month.sparkline.length > 1 ? (
                        <MiniCurve
                          points={month.sparkline}
                          base={0}
                          width={112}
                          height={26}
                          area={false}
                          label={`${words.month}走勢`}
                        />
                      ) : (
                        '—'
                      )}
                    </span>
                  ),
                },
                {
                  label: '未平倉損益',
                  value: <Floating {...floating} masked={masked} />,
                },
              ]}
            />
          ) : (
            <Figures
              framed
              tight
              figures={[
                { label: words.signals, value: number(today.signal_count) },
                {
                  label: words.month,
                  value: <Delta value={month.realised_pnl} arrow={false} masked={masked} />,
                },
                {
                  label: open > 0 ? `持倉中 ${open} 個策略` : '持倉中策略',
                  value: open > 0 ? <Floating {...floating} masked={masked} /> : 0,
                },
              ]}
            />
          )}
        </section>
      )}
      {!money && !wide && (
        <section className={cx(css.plain, 'card')} aria-label="今天">
          <Figures
            figures={[
              { label: words.signals, value: number(today.signal_count) },
              { label: '持倉中策略', value: open },
            ]}
          />
        </section>
      )}
      {wide && (
        <>
          <OpenStrategies board={board} masked={masked} money={money} />
          <TodayCard count={today.signal_count} day={day} title={words.signals} />
        </>
      )}
    </div>
  )
})
