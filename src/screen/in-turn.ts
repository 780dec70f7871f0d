// What comes into a list while it scrolls is drawn in parts, a frame for each: none of them alone makes a frame late.
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Of a frame's time, for parts; at least one is drawn in each. */
const BUDGET_MS = 3
/** A tab without frames does not wait for one longer than this. */
const AT_LAST_MS = 1_000

const waiting = new Set<() => void>()
let asked = false
/** Something came in since the last frame: that frame has enough to do. */
let fresh = false

function ask(): void {
  if (asked) return
  asked = true
  let run: (() => void) | null = () => {
    run = null
    clearTimeout(timer)
    asked = false
    draw()
  }
  const timer = setTimeout(() => run?.(), AT_LAST_MS)
  requestAnimationFrame(() => run?.())
}

function draw(): void {
  if (fresh) {
    fresh = false
    ask()
    return
  }
  const end = performance.now() + BUDGET_MS
  for (const part of waiting) {
    waiting.delete(part)
    part()
    if (performance.now() >= end) break
  }
  if (waiting.size > 0) ask()
}

/** How many of `parts` are drawn: all at once where `whole`, else one more in each of its turns, from none. */
export function useInTurn(parts: number, whole: boolean): number {
  const [drawn, setDrawn] = useState(whole ? parts : 0)
  useEffect(() => {
    if (drawn >= parts) return
    if (drawn === 0) fresh = true
    const part = () => flushSync(() => setDrawn(drawn + 1))
    waiting.add(part)
    ask()
    return () => void waiting.delete(part)
  }, [drawn, parts])
  return drawn
}
