// Which days end at once what stands today: asked before they are stored.
import { covers, type Span } from '#contract/access.ts'
import { ymd } from '#text/format.ts'
import { today } from '../parts/words.ts'

/** Why nothing of it holds today any more, in words; null when it goes on, or did not hold before either. */
export function endsAtOnce(before: Span, after: Span, day = today()): string | null {
  if (!covers(before, day) || covers(after, day)) return null
  if (after.starts_on > day) return `起日 ${ymd(after.starts_on)} 還沒到`
  return `到期日 ${ymd(after.ends_on ?? '')} 已經過去`
}
