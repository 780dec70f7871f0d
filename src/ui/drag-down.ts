/* A bottom sheet goes down with the finger that holds its head, and closes when it was drawn far or fast enough. */
import type { PointerEvent } from 'react'

/** Drawn so far it closes; a quick flick needs less. */
const ENOUGH_PX = 96
const FLICK_PX = 24
const FLICK_PX_PER_MS = 0.5
const OUT_MS = 160
/** From here on it is a drawer at the side (overlays.module.css). */
const DRAWER_PX = 768

/**
 * Begins with a finger on the head of the sheet (not on a key in it). `onClose` is asked as its × asks. `sticky` ones spring back
 * and are asked there: something in them may not be saved.
 */
export function dragDown(event: PointerEvent<HTMLElement>, sticky: boolean, onClose: () => void): void {
  const { currentTarget: head, pointerId, clientY: from, timeStamp: began, target } = event
  const box = head.closest('dialog')
  const on_key = (target as Element).closest('button, a')
  if (!box || on_key || event.pointerType === 'mouse' || innerWidth >= DRAWER_PX) return
  const over = new AbortController()
  const { style } = box
  let down = 0
  head.setPointerCapture(pointerId)
  style.transition = 'none'
  const move = ({ clientY }: { clientY: number }) => {
    down = Math.max(0, clientY - from)
    style.translate = `0 ${down}px`
  }
  const end = ({ type, timeStamp }: { type: string; timeStamp: number }) => {
    over.abort()
    const flicked = down > FLICK_PX && down > FLICK_PX_PER_MS * (timeStamp - began)
    const closes = type === 'pointerup' && (down > ENOUGH_PX || flicked)
    style.transition = `translate ${OUT_MS}ms ease-out`
    style.translate = closes && !sticky ? '0 100%' : ''
    if (!closes) return
    const close = () => {
      style.translate = ''
      onClose()
    }
    setTimeout(close, sticky ? 0 : OUT_MS)
  }
  head.addEventListener('pointermove', move, over)
  head.addEventListener('pointerup', end, over)
  head.addEventListener('pointercancel', end, over)
}
