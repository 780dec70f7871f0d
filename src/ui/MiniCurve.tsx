/* The small equity curve: 30 points of ink on a dotted capital line; only the end point carries the sign. */
import { curve, thinned } from './curve.ts'
import css from './MiniCurve.module.css'
import { cx } from './open.ts'
import type { Tone } from './tone.ts'

/** `points` equity values, oldest first; `base` the capital line (default the first). Sizes in px; without them CSS decides (100 % × 76). `steps` the day's line. */
export type MiniCurveProps = {
  points: readonly number[]
  base?: number
  width?: number
  height?: number
  label?: string
  tone?: Tone
  steps?: boolean
  area?: boolean
  muted?: boolean
}

export function MiniCurve({
  points,
  base,
  width,
  height,
  label = '權益曲線',
  tone,
  steps = false,
  area = true,
  muted = false,
}: MiniCurveProps) {
  const drawn = curve(steps ? points : thinned(points, 30), base ?? points[0] ?? 0, steps)
  const size = { ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) }
  if (!drawn) return <span className={css.root} style={size} role="img" aria-label={`${label}：還沒有資料`} />
  return (
    <span
      className={cx(css.root, steps && css.steps, muted && css.muted)}
      style={size}
      role="img"
      aria-label={label}
    >
      <span className={css.in}>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <path className={css.b} d={`M-.6 ${drawn.base_y}H101.5`} />
          {area && <path className={css.a} d={drawn.area} />}
          <path className={css.l} d={drawn.line} />
        </svg>
        {/* at another height it is another one: what is drawn anew does not slide */}
        <i key={drawn.end_y} className={cx(css.d, tone ?? drawn.tone)} style={{ top: `${drawn.end_y}%` }} />
      </span>
    </span>
  )
}
