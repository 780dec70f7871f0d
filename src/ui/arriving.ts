/* A part whose code comes later. What stands in its place stays while somebody is in it, and for good where the code cannot come. */
import { type RefObject, useEffect, useState } from 'react'

/** `now` what has come, null until then; `ask` sends for it, once for all, and anew after it could not come. */
export interface Arriving<T> {
  now: () => T | null
  ask: () => Promise<T | null>
}

export function arriving<T>(load: () => Promise<T>): Arriving<T> {
  let part: T | null = null
  let coming: Promise<T | null> | null = null
  return {
    now: () => part,
    ask() {
      coming ??= load().then(
        (found) => {
          part = found
          return found
        },
        (error: unknown) => {
          coming = null
          console.warn('part', error)
          return null
        },
      )
      return coming
    },
  }
}

/** The part once it may stand in `box`: its code is here, it is `wanted`, and nobody is in what stood there before. */
export function useArrived<T>(
  part: Arriving<T>,
  box: RefObject<HTMLElement | null>,
  wanted: boolean,
): T | null {
  const [stands, setStands] = useState(part.now() !== null)
  useEffect(() => {
    if (stands || !wanted) return
    const node = box.current
    let over = false
    const left = ({ relatedTarget }: FocusEvent) => {
      if (!(relatedTarget instanceof Node && node?.contains(relatedTarget))) setStands(true)
    }
    void part.ask().then((found) => {
      if (found === null || over) return
      if (node?.contains(document.activeElement)) node.addEventListener('focusout', left)
      else setStands(true)
    })
    return () => {
      over = true
      node?.removeEventListener('focusout', left)
    }
  }, [part, box, stands, wanted])
  return stands && wanted ? part.now() : null
}
