// A list that is being read: what comes meanwhile waits above it, so that nothing moves under the finger.
import { useEffect, useRef, useState } from 'react'

export interface HeldBack<T> {
  shown: readonly T[]
  /** How many wait. */
  waiting: number
  letIn: () => void
}

/** `items` newest first; `holding` while what stands there must stay. */
export function useHeld<T extends { id: string }>(items: readonly T[], holding: boolean): HeldBack<T> {
  const [top, setTop] = useState<string | null>(null)
  const newest = items[0]?.id ?? null
  if (holding ? top === null && newest !== null : top !== null) setTop(holding ? newest : null)
  // with other filters it may not be among them: then nothing is held back
  const at = Math.max(0, top === null ? 0 : items.findIndex(({ id }) => id === top))
  return { shown: at === 0 ? items : items.slice(at), waiting: at, letIn: () => setTop(newest) }
}

/** The top bar covers so much of a page that is scrolled. */
const COVERED = 72

/** Whether what `head` marks, the beginning of a list, has been scrolled out of sight. */
export function useAway(): { head: (node: Element | null) => void; away: boolean } {
  const [node, head] = useState<Element | null>(null)
  const [away, setAway] = useState(false)
  useEffect(() => {
    if (!node) return
    const looks = new IntersectionObserver(
      ([seen]) => {
        // above the screen, not below it
        if (seen) setAway(!seen.isIntersecting && seen.boundingClientRect.top < COVERED)
      },
      { rootMargin: `-${COVERED}px 0px 0px` },
    )
    looks.observe(node)
    return () => looks.disconnect()
  }, [node])
  return { head, away: node !== null && away }
}

/** Up again, where what waited comes in. */
export function toTop(): void {
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  window.scrollTo({ top: 0, behavior: calm ? 'instant' : 'smooth' })
}

// A search box whose word stands in the address.

const PAUSE_MS = 250

/** What is typed, and how to change it; `commit` hears it after a pause in typing. */
export function useTypedWord(value: string, commit: (value: string) => void) {
  const [typed, setTyped] = useState(value)
  const last = useRef(value)
  const write = useRef(commit)
  write.current = commit
  useEffect(() => {
    // the address was changed by somebody else: Back, 清除條件
    if (value !== last.current) {
      last.current = value
      setTyped(value)
    }
  }, [value])
  useEffect(() => {
    if (typed === last.current) return
    const timer = setTimeout(() => {
      last.current = typed
      write.current(typed)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return [typed, setTyped] as const
}
