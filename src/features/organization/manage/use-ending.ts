// What a form of days asks before it is sent: whether what stands today ends at once by them.

import { type FormEvent, useState } from 'react'
import type { Span } from '#contract/access.ts'
import { endsAtOnce } from './ends-at-once.ts'
import { type Days, periodErrors, spanOf } from './PeriodFields.tsx'

/** `before` as it stands; `send` when nothing ends at once. `question` is open while it is asked. */
export function useEnding(before: Span, days: Days, send: (event: FormEvent<HTMLFormElement>) => void) {
  const [asking, setAsking] = useState(false)
  const ending = Object.keys(periodErrors(days)).length === 0 ? endsAtOnce(before, spanOf(days)) : null
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    if (!ending) return send(event)
    event.preventDefault()
    setAsking(true)
  }
  return { onSubmit, question: asking ? { ending, onClose: () => setAsking(false) } : null }
}
