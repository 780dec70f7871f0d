/* A bottom sheet goes down with the finger that holds its head, and closes when it was drawn far or fast enough. */
import type { PointerEvent } from 'react'

/** Drawn so far it closes; a quick flick needs less. */
const ENOUGH_PX = 96
const FLICK_PX = 24
const FLICK_PX_PER_MS = 0.5
const OUT_MS = 160

/**
 * Begins with a finger on the head of the sheet (not on a key in it). `onClose` is asked as its × asks: a sheet that stays open,
 * because something in it is not saved, springs back. `sticky` ones are asked before they move away.
 */
export function dragDown(event: PointerEvent<HTMLElement>, sticky: boolean, onClose: () => void): void {
  const { currentTarget: head, pointerId, clientY: from, pointerType, target } = event
  const box = head.closest('dialog')
  const on_key = target instanceof Element && target.closest('button, a') !== null
  if (!box || on_key || pointerType === 'mouse' || !matchMedia('(max-width: 767.98px)').matches) return
  const began = event.timeStamp
  let down = 0
  head.setPointerCapture(pointerId)
  const move = ({ clientY }: globalThis.PointerEvent) => {
    down = Math.max(0, clientY - from)
    box.style.translate = `0 ${down}px`
  }
  const end = ({ type, timeStamp }: globalThis.PointerEvent) => {
    head.removeEventListener('pointermove', move)
    head.removeEventListener('pointerup', end)
    head.removeEventListener('pointercancel', end)
    const fast = down > FLICK_PX && down / Math.max(1, timeStamp - began) > FLICK_PX_PER_MS
    const closes = type === 'pointerup' && (down > ENOUGH_PX || fast)
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    const to = closes && !sticky ? `0 ${box.offsetHeight}px` : '0'
    const way = box.animate([{ translate: `0 ${down}px` }, { translate: to }], {
      duration: still ? 0 : OUT_MS,
      easing: 'ease-out',
    })
    box.style.translate = ''
    if (closes && sticky) onClose()
    else if (closes) way.onfinish = onClose
  }
  head.addEventListener('pointermove', move)
  head.addEventListener('pointerup', end)
  head.addEventListener('pointercancel', end)
}
