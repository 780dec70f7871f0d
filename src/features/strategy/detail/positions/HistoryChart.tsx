/* The step line of a position; levels, end point and tip are ours, beside and over the library's canvas. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { preferences } from '#state/preferences.ts'
import { full, ymd } from '#text/format.ts'
import { positionText, positionWords } from '#text/signal.ts'
import type { Asset } from '#trading/record.ts'
import { cx } from '#ui/open.ts'
import { ChartPoint } from '../chart/ChartPoint.tsx'
import { ChartTip } from '../chart/ChartTip.tsx'
import { WholeKey } from '../chart/WholeKey.tsx'
import css from './HistoryChart.module.css'
import { levels, type StepPoint } from './history.ts'
import { drawSteps, type StepChart } from './steps.ts'

const CLEAR_PX = 16

export function HistoryChart({ points, asset }: { points: readonly StepPoint[]; asset: Asset }) {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<StepChart | null>(null)
  const [, redraw] = useState(0)
  const [time, setTime] = useState<number | null>(null)
  const { theme_mode } = useSnapshot(preferences)

  useLayoutEffect(() => {
    if (!box.current) return
    const drawn = drawSteps(box.current, () => redraw((n) => n + 1), setTime)
    chart.current = drawn
    return () => {
      chart.current = null
      drawn.stop()
    }
  }, [])
  useLayoutEffect(() => chart.current?.set(points), [points])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tokens change with it
  useEffect(() => chart.current?.recolour(), [theme_mode])

  const places = chart.current
  const [first, last] = [points[0] as StepPoint, points.at(-1) as StepPoint]
  const held = positionWords(last.position, asset)
  // between two changes stands what the first of them left
  const at = time === null ? undefined : points.findLast((point) => point.time <= time)
  const x = time === null ? null : places?.x(time)
  const width = box.current?.clientWidth ?? 0
  const end = places?.y(last.position) ?? null
  const end_x = places?.x(last.time) ?? null
  const beside = levels(points).filter((level) => {
    const y = places?.y(level) ?? null
    return y !== null && (end === null || Math.abs(y - end) >= CLEAR_PX)
  })
  return (
    <div className={css.chart}>
      <div
        ref={box}
        className={cx(css.box, !places && css.wait)}
        role="img"
        aria-label={`部位變化，${ymd(first.at)} 至 ${ymd(last.at)}，現在${held.word}`}
      />
      {places?.zoomed() && <WholeKey onPress={places.whole} />}
      {places && (
        <div className={`${css.over} num`} aria-hidden="true" data-over="history">
          {beside.map((level) => (
            <span key={level} className={css.level} style={{ top: places.y(level) ?? 0 }}>
              {positionText(level, asset)}
            </span>
          ))}
          <span className={cx(css.level, css.last)} style={{ top: end ?? 0 }}>
            {positionText(last.position, asset)}
          </span>
          {end_x !== null && end_x <= width + 1 && (
            <ChartPoint
              x={end_x}
              y={end}
              colour={last.position > 0 ? 'up' : last.position < 0 ? 'down' : 'flat'}
            />
          )}
          {at && x !== null && x !== undefined && (
            <ChartTip x={x} width={width}>
              <p>{at === last ? '現在' : full(at.at)}</p>
              <p>
                部位{' '}
                <b>
                  {at.change ? `${positionText(at.change.before, asset)} → ` : ''}
                  {positionText(at.position, asset)}
                </b>
              </p>
            </ChartTip>
          )}
        </div>
      )}
    </div>
  )
}
