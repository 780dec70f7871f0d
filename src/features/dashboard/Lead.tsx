/* The three cards that lead the page (ruling C28): 已實現損益, 持倉中策略, 今日訊號. On phones the first one carries all three. */

import { memo } from 'react'
import type { Dashboard } from '#contract/dashboard.ts'
import { useGo } from '#screen/go.ts'
import { number } from '#text/format.ts'
import { positionWords } from '#text/signal.ts'
import { hms } from '#text/time.ts'
import type { Day } from '#trading/day.ts'
import { ASSET_FACTS, assetOf } from '#trading/kinds.ts'
import { Card, CardRows } from '#ui/Card.tsx'
import { Figures, MiniCurve, StepLine } from '#ui/Figures.tsx'
import { Delta, Seal } from '#ui/nouns/Delta.tsx'
import { cx, opens } from '#ui/open.ts'
import css from './DashboardPage.module.css'
import { dayWords, floatingOf } from './day.ts'

/** `day` what the device's records say about the trading date; `date` the calendar's; `market` short words for phones; `masked` privacy mode; `wide` from 768 px on. */
type LeadProps = {
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
  /** Of a part of the day nothing is drawn and nothing counted: zeros would stand beside the sum. */
  const whole = day.signal_count === today.signal_count
  // Members of an organization that keeps its figures to itself: positions lead, and no money (mockups).
  const money = today.realised_pnl !== null
  return (
    <div className={money ? css.lead : cx(css.lead, css.noMoney)}>
      {money && (
        <section className={cx(css.money, 'card')} aria-label="已實現損益">
          <div className={css.top}>
            <h2 className="t13 ink3 num">{words.realised}</h2>
            <div>
              <Delta big="lead" value={today.realised_pnl} unit="元" masked={masked} />
            </div>
            {!wide && <span className={cx(css.market, 't13 ink3 num')}>{market}</span>}
            <div className={css.course}>
              {whole ? (
                <StepLine points={day.line} label={`${words.realised}走勢`} />
              ) : (
                <MiniCurve points={[]} label={`${words.realised}走勢`} />
              )}
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
        <section className={cx(css.figures, 'card')} aria-label="今天">
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
          <TodayCard count={today.signal_count} day={day} whole={whole} title={words.signals} />
        </>
      )}
    </div>
  )
})

/** Strategies in the card of those that hold something. */
const SHOWN = 4

/** 持倉中策略: who holds what, and what it is worth at the last known price. `money` false leaves the P&L out (members of an organization that does not share its figures). */
function OpenStrategies({ board, masked, money }: { board: Dashboard; masked: boolean; money: boolean }) {
  const { open } = useGo()
  const held = board.strategies.filter(({ positions }) => positions.length > 0)
  const more = board.open_strategy_count - Math.min(held.length, SHOWN)
  const rows = held.slice(0, more > 0 ? SHOWN - 1 : SHOWN)
  return (
    <Card
      label="持倉中策略"
      title="持倉中策略"
      count={board.open_strategy_count}
      action={money && rows.length > 0 && <small className="ink3">未平倉損益</small>}
    >
      {rows.length === 0 ? (
        <p className={css.flat}>目前都空手。</p>
      ) : (
        <CardRows className={css.positions}>
          {rows.map((strategy) => {
            const [position, ...others] = strategy.positions
            const words = positionWords(position?.quantity ?? 0, assetOf(strategy))
            const href = `/strategies/${strategy.id}`
            return (
              <li key={strategy.id}>
                <a className="el sp" href={href} onClick={opens(() => open(href))} title={strategy.name}>
                  {strategy.name}
                </a>
                {others.length === 0 && words.seal && <Seal glyph={words.seal} />}
                <span className="num ink2 nowrap">
                  {others.length === 0 ? words.held : `${others.length + 1} 個部位`}
                </span>
                {money && (
                  <span className={cx(css.position, 'r')}>
                    <Floating
                      {...floatingOf({ strategies: [strategy], open_strategy_count: 1 })}
                      masked={masked}
                      tight
                    />
                  </span>
                )}
              </li>
            )
          })}
          {more > 0 && rows.length < board.open_strategy_count && (
            <li>
              <a className="link t13" href="/strategies" onClick={opens(() => open('/strategies'))}>
                另有 {board.open_strategy_count - rows.length} 個策略持倉
              </a>
            </li>
          )}
        </CardRows>
      )}
    </Card>
  )
}

const OTHER_DAYS = [
  ['voids', '作廢'],
  ['corrections', '更正'],
] as const

/** 今日訊號 on a desk: how many, their parts, and what came beside them. `count` signals of the trading date; `day` what the records that are here say about it, `whole` all of them; `title` how it is called. */
function TodayCard({ count, day, whole, title }: { count: number; day: Day; whole: boolean; title: string }) {
  const told = (value: number) => (whole ? value : '—')
  return (
    <Card
      title={title}
      remark={
        <>
          {OTHER_DAYS.filter(([key]) => day[key] > 0).map(([key, verb]) => (
            <span key={key} className="t13 ink3 nowrap num">
              {verb}其他日 {number(day[key])} 筆
            </span>
          ))}
          {day.late > 0 && <span className="t13 warn-ink nowrap">{day.late} 筆延遲</span>}
        </>
      }
      action={
        <span className="t28 w6 num">
          {number(count)}
          <small className="t13 ink3"> 筆</small>
        </span>
      }
    >
      <dl className={cx(css.parts, 'num')}>
        <Line label="進場、加碼" value={told(day.opened)} />
        <Line label="減碼、平倉" value={told(day.closed)} />
        <Line label="已作廢、未動作" value={told(day.rest)} />
        <Line label="最近一筆" value={day.last_at ? hms(day.last_at) : '—'} />
      </dl>
    </Card>
  )
}

function Line({ label, value }: { label: string; value: number | string }) {
  return (
    <div>
      <dt>{label}</dt>
      {/* another value stands there anew: at the right edge a longer one would slide */}
      <dd key={value}>{typeof value === 'number' ? number(value) : value}</dd>
    </div>
  )
}

/** 未平倉損益: a — never stands without the few words that say what it waits for. `why` there is no value; `tight` leaves no room for it: it is heard, and seen when pointed at. */
type FloatingProps = { value: number | null; why: string | null; masked: boolean; tight?: boolean }

function Floating({ value, why, masked, tight = false }: FloatingProps) {
  const told = masked ? null : why
  return (
    <span data-tip={tight ? (told ?? undefined) : undefined}>
      <Delta value={value} arrow={tight} masked={masked} />
      {told && (tight ? <span className="vh">{told}</span> : <small className="ink3">{told}</small>)}
    </span>
  )
}
