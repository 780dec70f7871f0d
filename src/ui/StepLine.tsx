/* The day as a step line: realised P&L changes only when a trade closes. */
import { MiniCurve, type MiniCurveProps } from './MiniCurve.tsx'

/** `points` cumulative realised P&L at each step, oldest first, measured to 0. */
export type StepLineProps = Omit<MiniCurveProps, 'steps' | 'base' | 'tone' | 'muted'>

export function StepLine({ label = '今日已實現走勢', points, ...rest }: StepLineProps) {
  return <MiniCurve {...rest} label={label} points={[0, ...points]} base={0} steps />
}
