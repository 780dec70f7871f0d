/* The one big number, and how it came: the curve, day by day, as months, and how its trades are spread; with the period all speak of. */

import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Statistics } from '#contract/statistics.ts'
import { number, signedPercent, ymd } from '#text/format.ts'
import { Card, Table } from '#ui/Card.tsx'
import { Masked } from '#ui/Figures.tsx'
import { Icon } from '#ui/Icon.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Delta } from '#ui/nouns/Delta.tsx'
import { cx } from '#ui/open.ts'
import { Segments } from '#ui/Segments.tsx'
import css from '../OverviewTab.module.css'
import { type DayPoint, dayPoints, dayRows, fallText } from './days.ts'
import { PERIODS, type Period } from './periods.ts'
import type { FigureKey } from './words.ts'

// the chart library is heavier than the rest of the page
const charts = () => import('./EquityChart.tsx')
const EquityChart = lazy(() => charts().then(({ EquityChart }) => ({ default: EquityChart })))
const DayChart = lazy(() => charts().then(({ DayChart }) => ({ default: DayChart })))
// looked at after the curve, if at all
const PnlViews = lazy(() => import('./PnlViews.tsx').then(({ PnlViews }) => ({ default: PnlViews })))
const SharePicture = lazy(() =>
  import('./SharePicture.tsx').then(({ SharePicture }) => ({ default: SharePicture })),
)

const VIEWS = [
  { value: 'curve', label: '累計' },
  { value: 'daily', label: '每日' },
  { value: 'calendar', label: '月曆' },
  { value: 'spread', label: '分布' },
] as const
type View = (typeof VIEWS)[number]['value']

export type EquityCardProps = {
  /** Of the strategy. */
  name: string
  figures: Statistics
  closed_days: readonly string[]
  period: Period
  onPeriod: (period: Period) => void
  masked: boolean
  onFigure: (key: FigureKey) => void
  onDay: (day: string) => void
}

export function EquityCard(props: EquityCardProps) {
  const { figures, closed_days, period, onPeriod, masked, onFigure } = props
  const { summary } = figures
  const [view, setView] = useState<View>('curve')
  const [listed, setListed] = useState(false)
  const [apart, setApart] = useState(false)
  const [shared, setShared] = useState<HTMLCanvasElement | null>(null)
  const shot = useRef<(() => HTMLCanvasElement) | null>(null)
  const card = useRef<HTMLDivElement>(null)
  const [full, setFull] = useFull(card)
  const points = useMemo(() => dayPoints(figures, closed_days), [figures, closed_days])
  const title =
    period === 'all' ? '累計淨損益' : `${PERIODS.find(({ value }) => value === period)?.label}淨損益`
  const both = figures.long.trade_count > 0 && figures.short.trade_count > 0
  const views = <Segments fill label="損益的畫法" value={view} onChange={setView} options={VIEWS} />
  const periods = <Segments fill label="期間" value={period} onChange={onPeriod} options={PERIODS} />
  const drawn = { ...props, view, points, listed, apart: apart && both, shot }
  const keys = (
    <>
      <button
        type="button"
        className={css.EquityCardSwitch}
        aria-pressed={listed}
        onClick={() => setListed(!listed)}
      >
        <Icon name={listed ? 'strategy' : 'rows'} size={16} />
        {listed ? '看圖' : '以表格看'}
      </button>
      {both && view !== 'calendar' && (
        <button
          type="button"
          className={css.EquityCardApart}
          aria-pressed={apart}
          onClick={() => setApart(!apart)}
        >
          <Icon name={apart ? 'check' : 'swap'} size={16} />
          多空分開
        </button>
      )}
      <span className="sp" />
    </>
  )
  const share = (view === 'curve' || view === 'daily') && (
    <IconButton icon="share" label="分享圖片" onClick={() => setShared(shot.current?.() ?? null)} />
  )
  return (
    <Card className={css.EquityCard} label="損益與權益曲線">
      <div className={css.EquityCardHead}>
        <button type="button" className={css.EquityCardBig} onClick={() => onFigure('net_profit')}>
          <span className="t13 ink3">{title} · 已扣成本</span>
          <span className={cx(css.EquityCardFigure, 'row wrap')}>
            <Delta value={summary.net_profit} unit="元" big masked={masked} />
            {summary.total_return !== null && summary.trade_count > 0 && (
              <span className="num t16 ink2">{signedPercent(summary.total_return)}</span>
            )}
          </span>
        </button>
        <div className={css.EquityCardPeriod}>
          {periods}
          {points.length > 0 && views}
        </div>
      </div>
      {points.length === 0 ? (
        <p className={cx(css.EquityCardNone, 'ink3')}>這段期間沒有平倉的交易。</p>
      ) : (
        <>
          <div ref={card} className={css.EquityCardView}>
            {/* what fills the screen is not drawn a second time under it */}
            {!full && <Drawn {...drawn} />}
          </div>
          <div className={css.EquityCardFoot}>
            {keys}
            <span className={cx(css.EquityCardCount, 'num t13 ink3')}>
              {number(points.length - 1)} 個交易日
            </span>
            {share}
            <IconButton icon="expand" label="全螢幕" onClick={() => setFull(true)} />
          </div>
        </>
      )}
      {full && (
        <FullScreen label={`${props.name}的損益`} onClose={() => setFull(false)}>
          <div className={css.EquityCardBar}>
            {views}
            <span className={css.EquityCardWide}>{periods}</span>
            <span className="sp" />
            <IconButton icon="close" label="離開全螢幕" onClick={() => setFull(false)} />
          </div>
          <div className={css.EquityCardView}>
            <Drawn {...drawn} />
          </div>
          <div className={css.EquityCardFullFoot}>{keys}</div>
        </FullScreen>
      )}
      {shared && (
        <Suspense fallback={null}>
          <SharePicture
            name={props.name}
            title={title}
            figures={figures}
            drawing={shared}
            masked={masked}
            onClose={() => setShared(null)}
          />
        </Suspense>
      )}
    </Card>
  )
}

type DrawnProps = EquityCardProps & {
  view: View
  points: ReturnType<typeof dayPoints>
  listed: boolean
  apart: boolean
  shot: { current: (() => HTMLCanvasElement) | null }
}

function Drawn({ view, points, figures, listed, apart, shot, masked, onDay }: DrawnProps) {
  const { daily, distribution: bins, initial_capital: capital } = figures
  const rows = useMemo(() => dayRows(points, daily), [points, daily])
  if (view !== 'curve' && (!daily || !bins))
    return <p className={cx(css.EquityCardNone, 'ink3')}>這份統計是之前存下的，連上網路之後就有。</p>
  const views = { view, daily, bins, masked, capital, apart, onDay }
  return (
    <>
      <Suspense fallback={<div className={css.EquityChart} role="status" aria-label="圖表載入中" />}>
        {view === 'curve' && (
          <EquityChart points={points} figures={figures} masked={masked} apart={apart} shot={shot} />
        )}
        {view === 'daily' && <DayChart rows={rows} masked={masked} apart={apart} shot={shot} />}
        {(view === 'calendar' || view === 'spread') && <PnlViews {...views} />}
      </Suspense>
      {listed &&
        (view === 'curve' ? (
          <EquityTable points={points} masked={masked} />
        ) : (
          <Suspense fallback={null}>
            <PnlViews {...views} table />
          </Suspense>
        ))}
    </>
  )
}

/** A phone that lies on its side: an open keyboard makes a screen low as well, but never so wide. */
const LYING = '(orientation: landscape) and (max-height: 500px) and (min-aspect-ratio: 13/9)'

/** Whether the chart fills the screen: by its key, or by turning a phone while it is in sight; turned back it is as before. */
function useFull(box: { current: HTMLElement | null }) {
  const [full, setFull] = useState<'key' | 'turned' | null>(null)
  useEffect(() => {
    const lying = matchMedia(LYING)
    const turn = () => {
      const place = box.current?.getBoundingClientRect()
      const in_sight =
        place !== undefined && place.bottom > 0 && place.top < Math.max(innerHeight, innerWidth)
      setFull((now) =>
        lying.matches ? (now ?? (in_sight ? 'turned' : null)) : now === 'turned' ? null : now,
      )
    }
    lying.addEventListener('change', turn)
    return () => lying.removeEventListener('change', turn)
  }, [box])
  return [full !== null, (on: boolean) => setFull(on ? 'key' : null)] as const
}

/** Over everything, until Escape or its key; what is under it waits. */
function FullScreen({
  label,
  onClose,
  children,
}: {
  label: string
  onClose: () => void
  children: ReactNode
}) {
  const box = useRef<HTMLDialogElement>(null)
  // closed before it is gone: then the key that opened it has the focus again
  useLayoutEffect(() => {
    const node = box.current
    node?.showModal()
    return () => node?.close()
  }, [])
  return (
    <dialog
      ref={box}
      className={css.EquityCardFull}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      {children}
    </dialog>
  )
}

/* The curve as a table, over the chart in its place: opening it moves nothing on the page. */

const ROWS = 250

/** `points` with their opening, which is no day of its own. */
export function EquityTable({ points, masked }: { points: readonly DayPoint[]; masked: boolean }) {
  const days = points.slice(1)
  const shown = days.slice(-ROWS).reverse()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section className={css.EquityTable} aria-label="逐日權益與回撤" tabIndex={0}>
      <Table className={cx(css.EquityTableTable, 'num')}>
        <thead>
          <tr>
            <th>交易日</th>
            <th className="n">日終權益（元）</th>
            <th className="n">當日最深回撤</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((point) => (
            <tr key={point.day}>
              <td>{ymd(point.day)}</td>
              <td className="n">{masked ? <Masked /> : number(point.equity)}</td>
              <td className="n">{fallText(point, masked)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {days.length > ROWS && <p className="t12 ink3">最新 {ROWS} 個交易日</p>}
    </section>
  )
}
