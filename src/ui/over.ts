// What stands over every open dialog, too: one place in the page that the topmost dialog takes into itself. Elsewhere it would lie
// behind the dialog, and could not be pressed.

const open: HTMLDialogElement[] = []
let place: HTMLElement | undefined

function put(): void {
  if (!place) return
  const dialog = open.at(-1)
  // as a popover it lies in the top layer, whatever moves or clips the dialog around it
  place.popover = dialog ? 'manual' : null
  ;(dialog ?? document.body).append(place)
  // a browser without popovers shows it as a part of the dialog
  if (dialog && 'showPopover' in place) place.showPopover()
}

/** The place itself, made when it is first asked for; `data-over-all` for whoever asks what else stands over the page. */
export function placeOverAll(class_name: string): HTMLElement {
  if (!place) {
    place = document.createElement('div')
    place.className = class_name
    place.dataset['overAll'] = ''
    put()
  }
  return place
}

/**
 * A dialog has opened over all others, `from` where the focus was; gives what closes it, to be called while it is still in the page.
 */
export function openedOverAll(dialog: HTMLDialogElement, from: Element | null): () => void {
  open.push(dialog)
  put()
  return () => {
    // a question in it goes first: each gives the focus back to where it was opened from, and a closed one would be too late
    const going = open.filter((one) => dialog.contains(one)).reverse()
    for (const one of going) open.splice(open.indexOf(one), 1)
    put()
    for (const one of going) one.close()
    // the browser gives it back by itself, but not once it has closed and we have opened again
    const active = document.activeElement
    const isLost = active === document.body || dialog.contains(active)
    if (isLost && from instanceof HTMLElement) from.focus({ preventScroll: true })
  }
}

/** Nobody of ours has closed it. */
export function isMeantOpen(dialog: HTMLDialogElement): boolean {
  return open.includes(dialog)
}

/** A dialog that the browser has closed by itself is open again, under those that have opened over it. */
export function openAgain(dialog: HTMLDialogElement): void {
  for (const one of open.slice(open.indexOf(dialog))) {
    one.close()
    one.showModal()
    one.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true })
  }
  put()
}
