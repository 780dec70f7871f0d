/* A period as a stroke: what is over is ink, the end a hollow point; filled once it is over. */

import type { Span } from '#contract/access.ts'
import { cx } from '#ui/open.ts'
import css from './PeriodLine.module.css'
import { elapsed, today } from './words.ts'

/** Nothing but a word when the period has no end. `wide` fills the line it stands in. */
export function PeriodLine({ period, wide = false }: { period: Span; wide?: boolean }) {
  const done = elapsed(period, today())
  if (done === null) return <span className="t13 ink3">無期限</span>
  const label = `期間已過 ${Math.round(done * 100)}%`
  return (
    <span className={wide ? cx(css.root, css.wide) : css.root} role="img" aria-label={label} title={label}>
      <i style={{ width: `${done * 100}%` }} />
      <b className={done === 1 ? css.over : undefined} />
    </span>
  )
}
