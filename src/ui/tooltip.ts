/* The name of an icon key beside it: after 700 ms of pointing or focus, at once when one was there within the last 300 ms (spec §9). */
import css from './overlays.module.css'

const DELAY_MS = 700
const SKIP_DELAY_MS = 300
const GAP = 6
const MARGIN = 8
/** Keys without words of their own; `data-tip` gives any other element one. */
const NAMED = '[data-icon-key], [data-tip]'

/** Listens on the whole document from now on; call once. `first` is pointed at, or has the focus, already. Touch has no hover: there the key's press is the answer. */
export function followTooltips(first: Element): void {
  const tip = document.createElement('div')
  tip.className = css.Tooltip ?? ''
  tip.popover = 'manual'
  // the words are the key's accessible name already
  tip.setAttribute('aria-hidden', 'true')
  let over: Element | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let hidden_at = Number.NEGATIVE_INFINITY

  const hide = () => {
    clearTimeout(timer)
    over = null
    if (!tip.isConnected) return
    tip.remove()
    hidden_at = performance.now()
  }
  const show = (key: Element) => {
    const words = key.getAttribute('data-tip') ?? key.getAttribute('aria-label')
    if (!words || !key.isConnected) return
    tip.textContent = words
    // inside an open dialog, whose top layer would cover it otherwise
    ;(key.closest('dialog[open], [popover]') ?? document.body).append(tip)
    tip.showPopover()
    const by = key.getBoundingClientRect()
    const left = by.left + by.width / 2 - tip.offsetWidth / 2
    const below = by.bottom + GAP + tip.offsetHeight <= innerHeight - MARGIN
    tip.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - tip.offsetWidth - MARGIN))}px`
    tip.style.top = `${below ? by.bottom + GAP : by.top - GAP - tip.offsetHeight}px`
  }
  const enter = (target: EventTarget | null) => {
    const key = target instanceof Element ? target.closest(NAMED) : null
    if (key === over) return
    hide()
    over = key
    if (!key) return
    const at_once = performance.now() - hidden_at < SKIP_DELAY_MS
    timer = setTimeout(() => show(key), at_once ? 0 : DELAY_MS)
  }
  document.addEventListener('pointerover', ({ target, pointerType }) => {
    if (pointerType !== 'touch') enter(target)
  })
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element && target.matches(':focus-visible')) enter(target)
  })
  document.addEventListener('focusout', hide)
  document.addEventListener('pointerdown', hide)
  document.addEventListener('scroll', hide, { capture: true, passive: true })
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') hide()
  })
  if (first.matches(':hover, :focus-visible')) enter(first)
}
