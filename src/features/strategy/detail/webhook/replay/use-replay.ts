/* One run of a replay: tried page by page, told, made batch by batch; stopped between two of them, or gone on with. */

import { useCallback, useEffect, useRef, useState } from 'react'
import { REPLAY_MOST } from '#contract/limits.ts'
import type { Webhook } from '#contract/webhook.ts'
import type { ReplayChange } from '#contract/webhook-format.ts'
import {
  makeReplay,
  type ReplayPage,
  type ReplayPick,
  type ReplayWish,
  tryReplay,
} from '#data/nouns/webhook.ts'
import { useCtx } from '#screen/data.tsx'
import { serverNow } from '#text/now.ts'
import { noteLeft } from './left.ts'
import { lineOf, type ReplayLine } from './lines.ts'

export type Counts = Record<ReplayChange, number>
const NO_COUNTS: Counts = { new: 0, changed: 0, same: 0, still_refused: 0, now_refused: 0 }

export type ReplayRun = {
  step: 'trying' | 'told' | 'making' | 'stopped' | 'done'
  /** Of what is being tried or made. */
  done: number
  total: number | null
  /** Of the dry run, then of what was made. */
  counts: Counts
  lines: readonly ReplayLine[]
  error: unknown
}
const START: ReplayRun = { step: 'trying', done: 0, total: null, counts: NO_COUNTS, lines: [], error: null }

export function useReplay(webhook: Webhook, pick: ReplayPick) {
  const ctx = useCtx()
  const [run, setRun] = useState(START)
  const stop = useRef(false)
  /** Ids that are still to be made. */
  const left = useRef<string[]>([])
  /** As it was asked for: who opened the sheet draws itself anew meanwhile. */
  const asked = useRef(pick)
  const wish = useCallback(
    (signal: AbortSignal): ReplayWish => ({
      ...{ ctx, webhook_id: webhook.id, signal },
    }),
    [ctx, webhook.id],
  )

  const attempt = useCallback(
    async (signal: AbortSignal) => {
      let now = START
      setRun(now)
      try {
        for await (const page of tryReplay(wish(signal), asked.current)) {
          const lines = [...now.lines, ...page.items.map(lineOf)]
          now = { ...now, lines, done: lines.length, total: page.total, counts: sum(now.counts, page.counts) }
          setRun(now)
        }
        left.current = now.lines.filter(({ change }) => MADE.has(change)).map(({ id }) => id)
        setRun({ ...now, step: 'told' })
      } catch (error) {
        if (!signal.aborted) setRun({ ...now, error })
      }
    },
    [wish],
  )
  useEffect(() => {
    const leaving = new AbortController()
    void attempt(leaving.signal)
    return () => leaving.abort()
  }, [attempt])

  const make = async (notify: boolean) => {
    const ids = left.current
    const begun = run.step === 'told' ? { done: 0, total: ids.length, counts: NO_COUNTS } : run
    let now: ReplayRun = { ...run, ...begun, step: 'making', error: null }
    stop.current = false
    setRun(now)
    try {
      for await (const page of makeReplay(wish(new AbortController().signal), ids, notify)) {
        left.current = left.current.slice(REPLAY_MOST)
        const done = (now.total ?? 0) - left.current.length
        now = { ...now, done, counts: sum(now.counts, page.counts) }
        noteLeft(webhook.id, { done, total: now.total ?? 0, at: serverNow(), pick: asked.current })
        setRun(now)
        if (stop.current) break
      }
      const through = left.current.length === 0
      if (through) noteLeft(webhook.id, null)
      setRun({ ...now, step: through ? 'done' : 'stopped' })
    } catch (error) {
      setRun({ ...now, step: 'stopped', error })
    }
  }
  return {
    ...run,
    retry: () => void attempt(new AbortController().signal),
    make: (notify: boolean) => void make(notify),
    stop: () => {
      stop.current = true
    },
  }
}

/** What a commit is asked for; the others stay as they are. */
const MADE: ReadonlySet<ReplayChange> = new Set(['new', 'changed', 'now_refused'] as const)

function sum(a: Counts, b: ReplayPage['counts']): Counts {
  const both = { ...a }
  for (const key of Object.keys(both) as ReplayChange[]) both[key] += b[key]
  return both
}
