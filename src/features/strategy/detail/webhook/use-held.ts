// The log while one of its requests is open: what comes meanwhile waits above it, so that the open one stays where it is.
import { useState } from 'react'
import type { Delivery } from '#contract/webhook.ts'

export interface Held {
  shown: readonly Delivery[]
  /** How many wait. */
  waiting: number
  letIn: () => void
}

/** `items` newest first; `opened` the id of the open one. */
export function useHeld(items: readonly Delivery[], opened: string | null): Held {
  const [top, setTop] = useState<string | null>(null)
  const newest = items[0]?.id ?? null
  if (opened === null ? top !== null : top === null && newest !== null) setTop(opened && newest)
  // with other filters it may not be among them: then nothing is held back
  const at = Math.max(0, top === null ? 0 : items.findIndex(({ id }) => id === top))
  return { shown: at === 0 ? items : items.slice(at), waiting: at, letIn: () => setTop(newest) }
}
