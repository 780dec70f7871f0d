// Which records came in while this page was open: their rows get the soft highlight once.
import { useEffect, useRef, useState } from 'react'
import type { SignalSnapshot } from '#data/device/signals.ts'

const HIGHLIGHT_MS = 1_500
const NONE: ReadonlySet<string> = new Set()

/** Ids to highlight now. What the device or the first answer brings is no news; neither are older records that load later. */
export function useFresh({ ctx, items, state }: SignalSnapshot): ReadonlySet<string> {
  const seen = useRef<{ ctx: string; seq: number } | null>(null)
  const [fresh, setFresh] = useState(NONE)
  useEffect(() => {
    if (state === 'loading') return
    const high = items.slice(0, 200).reduce((most, record) => Math.max(most, record.seq), 0)
    const before = seen.current
    seen.current = { ctx, seq: Math.max(high, before?.ctx === ctx ? before.seq : 0) }
    if (before === null || before.ctx !== ctx || high <= before.seq) return
    setFresh(new Set(items.filter(({ seq }) => seq > before.seq).map(({ id }) => id)))
  }, [ctx, items, state])
  useEffect(() => {
    if (fresh.size === 0) return
    const timer = setTimeout(() => setFresh(NONE), HIGHLIGHT_MS)
    return () => clearTimeout(timer)
  }, [fresh])
  return fresh
}
