/* A point on a chart's line, in the colour of what it stands for. */
import { cx } from '#ui/open.ts'
import css from './ChartPoint.module.css'

/** null where the library has not placed it yet; `halo` for the newest of a curve. */
export type ChartPointProps = {
  x: number | null
  y: number | null
  colour: 'up' | 'down' | 'flat'
  halo?: boolean
}

export function ChartPoint({ x, y, colour, halo = false }: ChartPointProps) {
  return <i className={cx(css.root, halo && css.halo, colour)} style={{ top: y ?? 0, left: x ?? 0 }} />
}
