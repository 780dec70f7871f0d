// After the first paint: when the browser has nothing better to do, what is not needed at once may load.
import { useEffect, useState } from 'react'

/** Runs `task` after the first paint, at the latest after two seconds; the answer calls it off. */
export function whenIdle(task: () => void): () => void {
  // Safari has no requestIdleCallback
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(task, 300)
    return () => clearTimeout(timer)
  }
  const ticket = requestIdleCallback(task, { timeout: 2_000 })
  return () => cancelIdleCallback(ticket)
}

/** False until the page has painted and the browser is idle. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false)
  useEffect(() => whenIdle(() => setIdle(true)), [])
  return idle
}
