/* Which records have just come in: highlighted for 1.2 s, and counted while the person has scrolled away; quiet ones are neither. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { SignalRecord } from '#contract/signal.ts'

const HIGHLIGHT_MS = 1_200
const NONE: ReadonlySet<string> = new Set()

/** `records` all of this list's scope, unfiltered; `loaded` once the device has looked; `counts` whether a record is on the list at all. */
export function useArrivals(
  records: readonly SignalRecord[],
  loaded: boolean,
  counts: (record: SignalRecord) => boolean,
  away: () => boolean,
) {
  /** The highest seq seen; older pages that load in the background lie below it and are no news. */
  const newest = useRef<number | null>(null)
  const [fresh, setFresh] = useState(NONE)
  const [missed, setMissed] = useState(0)
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>())

  useLayoutEffect(() => {
    const known = newest.current
    const high = records.reduce((max, record) => Math.max(max, record.seq), known ?? 0)
    if (known === null) {
      if (loaded) newest.current = high
      return
    }
    if (high <= known) return
    newest.current = high
    const ids = records
      .filter((record) => record.seq > known && !record.quiet && counts(record))
      .map((record) => record.id)
    if (ids.length === 0) return
    setFresh((old) => new Set([...old, ...ids]))
    if (away()) setMissed((n) => n + ids.length)
    const timer = setTimeout(() => {
      timers.current.delete(timer)
      setFresh((old) => new Set([...old].filter((id) => !ids.includes(id))))
    }, HIGHLIGHT_MS)
    timers.current.add(timer)
  }, [records, loaded, counts, away])

  useEffect(() => {
    const running = timers.current
    return () => {
      for (const timer of running) clearTimeout(timer)
    }
  }, [])
  return { fresh, missed, seen: useCallback(() => setMissed(0), []) }
}
