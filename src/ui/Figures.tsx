/* A line of small figures under a big one: label over value. */

import type { ReactNode } from 'react'
import { MASK, number } from '#text/format.ts'
import css from './figures.module.css'
import { cx } from './open.ts'

/** `value` text or a part (Delta, Money). `framed` draws the hairline above (foot of a card). */
export type FiguresProps = {
  figures: readonly { label: string; value: ReactNode; unit?: string }[]
  framed?: boolean
  /** Closer on phones. */
  tight?: boolean
}

export function Figures({ figures, framed = false, tight = false }: FiguresProps) {
  return (
    <dl className={cx(css.Figures, framed && css.FiguresFramed, tight && css.FiguresTight)}>
      {figures.map((figure) => (
        <div key={figure.label}>
          <dt>{figure.label}</dt>
          <dd className="num">
            {figure.value}
            {figure.unit && <small>{figure.unit}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/* Lines of name and value: what a result is made of, settings to read. */

/** `total` draws the line above and sets it in 600. */
export type KeyValuesProps = {
  rows: readonly { label: ReactNode; value: ReactNode; total?: boolean; key?: string }[]
  /** Two beside each other where there is room, smaller. */
  columns?: boolean
}

export function KeyValues({ rows, columns = false }: KeyValuesProps) {
  return (
    <dl className={cx(css.KeyValues, columns && css.KeyValuesColumns, 'num')}>
      {rows.map((row, at) => (
        <div
          key={row.key ?? (typeof row.label === 'string' ? row.label : at)}
          className={cx(row.total && css.KeyValuesTotal)}
        >
          <dt>{row.label}</dt>
          {/* another value stands there anew: at the right edge a longer one would slide */}
          <dd key={typeof row.value === 'string' ? row.value : ''}>{row.value}</dd>
        </div>
      ))}
    </dl>
  )
}

/* The one number of a screen, at 40 px. */

/** `lead` at the head of the first page: on phones a taller line and a smaller unit. */
export type BigProps = {
  children: ReactNode
  as?: 'span' | 'p'
  lead?: boolean
  className?: string | undefined
}

export function Big({ children, as: Box = 'span', lead = false, className }: BigProps) {
  return <Box className={cx(css.Big, lead && css.BigLead, className)}>{children}</Box>
}

/* Money in privacy mode: dots to the eye, a word to the screen reader. */

export function Masked() {
  return (
    <span className="num ink2">
      <span className="dots" aria-hidden="true">
        {MASK}
      </span>
      <span className="vh">已隱藏</span>
    </span>
  )
}

/* An amount of money without a sign's colour: capital, cost, market value. */

/** Whole dollars unless `digits`; null shows —; `masked` privacy mode; `strong` 600. */
export type MoneyProps = {
  value: number | null
  unit?: string
  digits?: number
  masked?: boolean
  strong?: boolean
}

export function Money({ value, unit = '元', digits = 0, masked = false, strong = false }: MoneyProps) {
  if (masked) return <Masked />
  if (value === null) return <span className="num ink3">—</span>
  return (
    <span className={cx('num', strong && 'w6')}>
      {number(value, digits)}
      {unit && <small>{unit}</small>}
    </span>
  )
}

/* The small equity curve: 30 points of ink on a dotted capital line; only the end point carries the sign. */

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
  if (!drawn)
    return <span className={css.MiniCurve} style={size} role="img" aria-label={`${label}：還沒有資料`} />
  return (
    <span
      className={cx(css.MiniCurve, steps && css.MiniCurveSteps, muted && css.MiniCurveMuted)}
      style={size}
      role="img"
      aria-label={label}
    >
      <span className={css.MiniCurveIn}>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <path className={css.MiniCurveB} d={`M-.6 ${drawn.base_y}H101.5`} />
          {area && <path className={css.MiniCurveA} d={drawn.area} />}
          <path className={css.MiniCurveL} d={drawn.line} />
        </svg>
        {/* at another height it is another one: what is drawn anew does not slide */}
        <i
          key={drawn.end_y}
          className={cx(css.MiniCurveD, tone ?? drawn.tone)}
          style={{ top: `${drawn.end_y}%` }}
        />
      </span>
    </span>
  )
}

/* The day as a step line: realised P&L changes only when a trade closes. */

/** `points` cumulative realised P&L at each step, oldest first, measured to 0. */
export type StepLineProps = Omit<MiniCurveProps, 'steps' | 'base' | 'tone' | 'muted'>

export function StepLine({ label = '今日已實現走勢', points, ...rest }: StepLineProps) {
  return <MiniCurve {...rest} label={label} points={[0, ...points]} base={0} steps />
}

/* Geometry of the small curves, on a grid of 100 × 100 that the picture stretches. */

/** Paths and end point of a small curve: y in percent from the top; `tone` the sign of last − base. */
export type Curve = { line: string; area: string; base_y: number; end_y: number; tone: Tone }

const round = (value: number) => Math.round(value * 10) / 10

/** At most `count` points, evenly taken, always with the first and the last. */
export function thinned(points: readonly number[], count: number): number[] {
  if (points.length <= count) return [...points]
  return Array.from(
    { length: count },
    (_, at) => points[Math.round((at * (points.length - 1)) / (count - 1))] ?? 0,
  )
}

/** Curve through `points` measured to `base`; `steps` keeps each value until the next (realised P&L of a day). Null without points. */
export function curve(points: readonly number[], base: number, steps = false): Curve | null {
  const last = points.at(-1)
  if (last === undefined) return null
  const low = Math.min(base, ...points)
  const span = Math.max(base, ...points) - low
  const y = (value: number) => (span === 0 ? 50 : round(100 - ((value - low) / span) * 100))
  const x = (at: number) => (points.length === 1 ? 100 : round((at / (points.length - 1)) * 100))
  const rest = points
    .slice(1)
    .map((value, at) => (steps ? `H${x(at + 1)}V${y(value)}` : `L${x(at + 1)} ${y(value)}`))
  const line = points.length === 1 ? `M0 ${y(last)}H100` : `M0 ${y(points[0] ?? last)}${rest.join('')}`
  const base_y = y(base)
  const tone = last > base ? 'up' : last < base ? 'down' : 'flat'
  return { line, area: `${line}V${base_y}H0Z`, base_y, end_y: y(last), tone }
}

/* What happened when, as a line with points: a signal from the source to the screen. */

/** One point: `end` the filled one (arrived here), `open` not on the line any more. Times already formatted. */
export type TimelineStep = {
  key: string
  title: string
  note?: string
  time: string
  delta?: string
  kind?: 'end' | 'open'
}

/** Oldest first. */
export type TimelineProps = { steps: readonly TimelineStep[]; label?: string }

export function Timeline({ steps, label }: TimelineProps) {
  return (
    <ol className={css.Timeline} aria-label={label}>
      {steps.map((step) => (
        <li key={step.key} className={cx(step.kind && css[`Timeline-${step.kind}`])}>
          <span className={css.TimelineK}>
            <b>{step.title}</b>
            {step.note && <small>{step.note}</small>}
          </span>
          <span className={`${css.TimelineT} num`}>
            {step.time}
            {step.delta && <small>{step.delta}</small>}
          </span>
        </li>
      ))}
    </ol>
  )
}

// The sign of a value or a side, by which it is coloured.

/** `up` red by default, `down` green, `flat` grey. */
export type Tone = 'up' | 'down' | 'flat'
