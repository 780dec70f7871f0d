/* A key that an input method takes is not the page's: no handler hears it. Safari says so only by the number 229, after the word has ended. */

/** Listens before every handler of the page. */
export function leaveKeysToInputMethod(): void {
  addEventListener(
    'keydown',
    (event) => {
      if (!event.isComposing && event.keyCode !== 229) return
      event.stopImmediatePropagation()
      // Safari's Enter would send the form around the field.
      if (event.key === 'Enter' && !event.isComposing) event.preventDefault()
    },
    true,
  )
}
