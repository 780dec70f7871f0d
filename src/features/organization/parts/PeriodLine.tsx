/* A period as a stroke: what is over is ink, the end a hollow point; filled once it is over. */
import { elapsed, type Period, today } from './words.ts'

/** Nothing but a word when the period has no end. `wide` fills the line it stands in. */
export function PeriodLine({ period, wide = false }: { period: Period; wide?: boolean }) {
  const done = elapsed(period, today())
  if (done === null) return <span className="t13 ink3">無期限</span>
  const label = `期間已過 ${Math.round(done * 100)}%`
  return (
    <span className={wide ? 'og-line wide' : 'og-line'} role="img" aria-label={label} title={label}>
      <i style={{ width: `${done * 100}%` }} />
      <b className={done === 1 ? 'over' : undefined} />
    </span>
  )
}
