// What a list takes that shows only the part in sight.
import type { Strategy } from '#contract/strategy.ts'
import type { useBell } from './use-bell.ts'

export interface LongProps {
  total: number
  /** The one at a place, from 0; undefined while its page is on the way. */
  at: (place: number) => Strategy | undefined
  /** These places are in sight. */
  reach: (from: number, to: number) => void
  wide: boolean
  bell: ReturnType<typeof useBell>
  masked: boolean
}
