// Whether the phone's keyboard is likely open: a field of the page has the focus.
import { type RefObject, useEffect, useRef } from 'react'

const FIELD = 'main :is(input:not([type="checkbox"], [type="radio"]), textarea)'
/** The first two tell; the others find out that a field which had the focus has left the page, which no browser announces alike. */
const EVENTS = ['focusin', 'focusout', 'pointerup', 'keyup', 'scroll'] as const

/** A field has the focus now. */
export const isTyping = (): boolean => document.activeElement?.matches(FIELD) === true

/** The element that gets the ref carries `data-typing` meanwhile, without being drawn again. */
export function useTypingMark(): RefObject<HTMLElement | null> {
  const marked = useRef<HTMLElement>(null)
  useEffect(() => {
    const judge = ({ type }: Event) => {
      if (type === 'scroll' && !marked.current?.hasAttribute('data-typing')) return
      marked.current?.toggleAttribute('data-typing', isTyping())
    }
    for (const name of EVENTS) document.addEventListener(name, judge, { passive: true })
    return () => {
      for (const name of EVENTS) document.removeEventListener(name, judge)
    }
  }, [])
  return marked
}
