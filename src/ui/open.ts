/* Makes a real link open inside the app: plain clicks go to the handler, everything else stays the browser's. */
import type { MouseEvent } from 'react'

/** Click handler for an <a href>: a plain primary click runs `onOpen` instead of loading the page; new tab and middle click work as usual. */
export function opens(onOpen: (() => void) | undefined) {
  if (!onOpen) return undefined
  return (event: MouseEvent) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return
    event.preventDefault()
    onOpen()
  }
}

/** Joins class names, leaving out what is empty or false. */
export function cx(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
