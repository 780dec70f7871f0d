// The opened record's way to its neighbours in the list: j and k, and the arrows.
import { useEffectEvent, useLayoutEffect } from 'react'
import { taken } from '#screen/keys.ts'
import { letter } from './use-travel.ts'

const ARROWS: Record<string, 1 | -1> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

/** `ids` as listed, newest first; nothing happens at their ends, nor for a record that is not among them. */
export function useSteps(id: string | undefined, ids: () => readonly string[], onMove: (id: string) => void) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const by = letter(event) ?? arrow(event)
    if (id === undefined || !by || taken(event, 1)) return
    event.preventDefault()
    const listed = ids()
    const at = listed.indexOf(id)
    const next = at < 0 ? undefined : listed[at + by]
    if (next !== undefined) onMove(next)
  })
  useLayoutEffect(() => {
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

/** Up and down belong to the text while the focus is within it: they scroll. */
function arrow({ key, target, shiftKey }: KeyboardEvent): 1 | -1 | undefined {
  const inside = target instanceof Element && target.closest('[data-sheet-part]')
  return shiftKey || inside ? undefined : ARROWS[key]
}
