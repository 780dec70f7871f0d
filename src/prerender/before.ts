// Stands in a page that was drawn at build, right behind what is drawn (server/cli/prerender.ts): chooses what fits whoever comes, and
// keeps what they press for the application (take-over.ts). No imports but types: the build puts this file into the page as it is.
import type { Prerendered } from './take-over.ts'

/** Nobody whose finger stays down, or who never ends a word, keeps the application away for longer. */
const HELD_MS = 10_000
/** A finger's press is told so long after the finger has left. */
const CLICK_MS = 50

/** Somebody whose time is not over; whether the server takes the token, the application will see. */
function isSigned(): boolean {
  try {
    const { token = '', lingbo_user } = localStorage as Record<string, string | undefined>
    const [, claims = ''] = token.split('.')
    const { exp } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))
    return lingbo_user !== undefined && exp * 1_000 > Date.now()
  } catch {
    return false // nobody, or storage is blocked
  }
}

function choose(root: HTMLElement): void {
  const return_to = new URLSearchParams(location.search).get('returnTo')
  const signed = isSigned()
  const when = [
    document.documentElement.dataset['theme'] === 'dark' && 'dark',
    signed && 'signed',
    return_to?.startsWith('/my-organizations?') && return_to.includes('invite=') && 'invited',
  ]
  const fitting = `template[data-when="${when.filter(Boolean).join(' ')}"]`
  const other = document.querySelector<HTMLTemplateElement>(fitting)
  if (other) root.replaceChildren(other.content)
  // whoever is signed in is led on from the sign-in
  else if (signed) root.replaceChildren()
  for (const link of root.querySelectorAll('a'))
    if (return_to && /^\/(login|reset-password)$/.test(link.pathname)) {
      const to = new URL(link.href)
      to.searchParams.set('returnTo', return_to)
      link.href = to.pathname + to.search
    }
}

/** Everything is heard at what was drawn, and goes with it. */
function keep(drawn: Element): Prerendered {
  const prerendered: Prerendered = { since: performance.now(), pressed: [], held: null }
  const hold = (begins: string, ends: readonly string[], is: (event: Event) => boolean = () => true) =>
    drawn.addEventListener(begins, (event) => {
      if (!is(event)) return
      prerendered.held = new Promise((done) => {
        setTimeout(done, HELD_MS)
        for (const end of ends) addEventListener(end, () => setTimeout(done, CLICK_MS), { once: true })
      })
    })
  // a press begins and ends on one key, a word of an input method in one field
  hold(
    'pointerdown',
    ['pointerup', 'pointercancel', 'contextmenu'],
    (event) => (event as PointerEvent).button === 0,
  )
  hold('compositionstart', ['compositionend'])
  const keys = [...drawn.querySelectorAll('button')]
  for (const [at, key] of keys.entries()) {
    // what is typed goes nowhere without the application: until this line ran, the form could not be sent
    if (key.type === 'submit') key.disabled = false
    key.addEventListener('click', () => {
      if (key.type === 'submit' && prerendered.pressed.includes(at)) return
      if (key.type === 'submit') key.ariaBusy = 'true'
      prerendered.pressed.push(at)
    })
  }
  for (const form of drawn.querySelectorAll('form'))
    form.addEventListener('submit', (event) => event.preventDefault())
  return prerendered
}

// positions are the application's to keep (src/main.tsx)
history.scrollRestoration = 'manual'
const root = document.getElementById('root')
if (root) {
  choose(root)
  const drawn = root.firstElementChild
  if (drawn) window.prerendered = keep(drawn)
  root.hidden = false
}
