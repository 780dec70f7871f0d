// Desktops: the wave comes in from the left and ends as a point on the edge of the card.
import { WAVE } from '#ui/wave.ts'
import css from './Inflow.module.css'

export function Inflow() {
  return (
    <svg className={css.inflow} viewBox="0 0 884 560" width="884" height="560" aria-hidden="true">
      <path d={WAVE} fill="none" stroke="var(--chart-line)" strokeWidth="3" strokeLinecap="round" />
      <circle cx="884" cy="165" r="18" fill="var(--brand)" opacity=".14" />
      <circle cx="884" cy="165" r="7" fill="var(--brand)" />
    </svg>
  )
}
