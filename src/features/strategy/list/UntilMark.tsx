/* The last day of one strategy, where those of its group end on different days. */
import type { Strategy } from '#contract/strategy.ts'
import { Tag } from '#ui/Tag.tsx'
import { untilWords } from './sections.ts'

/** `today` in Taipei; left out, the day stands over the whole group. */
export function UntilMark({ strategy, today }: { strategy: Strategy; today: string | undefined }) {
  if (today === undefined || !strategy.access) return null
  const { text, soon } = untilWords(strategy.access.valid_until, today, true)
  return <Tag {...(soon && ({ tone: 'warn', icon: 'calendar' } as const))}>{text}</Tag>
}
