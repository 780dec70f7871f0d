// Once a strategy stands on the screen, the pictures of its note come to the device: the note is whole when the network is not there.
import { useEffect } from 'react'
import type { Strategy } from '#contract/strategy.ts'
import { keepNoteImages } from '#data/nouns/strategy.ts'
import { whenIdle } from '#screen/after-paint.ts'
import { useCtx } from '#screen/data.tsx'

/** Not for who saves data: then they come when the note is opened. */
const saves = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true

export function useKeptImages(strategy: Pick<Strategy, 'id' | 'note'> | undefined): void {
  const ctx = useCtx()
  const { id, note } = strategy ?? {}
  useEffect(() => {
    if (!id || !note || saves()) return
    return whenIdle(() => void keepNoteImages(ctx, { id, note }))
  }, [ctx, id, note])
}
