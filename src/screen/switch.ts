// Acting as somebody else: the person's own switch, a link's, another tab's. Words, event and redirects of spec §4.
import { proxy } from 'valtio'
import { getData } from '#data/current.ts'
import { profileQueries } from '#data/nouns/profile.ts'
import { auth } from '#state/session.ts'
import { CONTEXT, IDENTITY } from '#text/spec.ts'
import { afterPaint } from './after-paint.ts'
import { session } from './device.ts'
import { isDirty } from './dirty.ts'
import { covered, knownProfile } from './profile.ts'
import { carryToast, toast } from './toast.ts'

/**
 * `to` is the page that the switch leads to; while it is not there a skeleton covers the old one. Null: nothing is on its way.
 * `loads`: it comes by a full load, which takes along what is said before.
 * `drawn` is false until the first frame of the other identity stands: what lies below a page's first cards waits for it.
 */
export const switching = proxy<{ to: string | null; loads: boolean; drawn: boolean }>({
  to: null,
  loads: false,
  drawn: true,
})

/** The window event after a switch (spec §4). */
export const CONTEXT_SWITCHED = 'context-switched'
/** The context that was left and the one that holds now; null = personal, before a sign-in nobody's. */
export interface ContextSwitched {
  from: string | null
  to: string | null
  /** The page is where a link or a sign-in led: the event does not move it (ruling C45). */
  stay: boolean
  /** What the page belonged to is over, or another person's: /dashboard from everywhere (ruling A14). */
  home: boolean
}

/** Fires the event: the identity is another one than `from` now, however that came about. */
export function switched(from: string | null, page: 'judged' | 'stay' | 'home'): void {
  const detail: ContextSwitched = { from, to: auth.org_id, stay: page === 'stay', home: page === 'home' }
  dispatchEvent(new CustomEvent(CONTEXT_SWITCHED, { detail }))
}

let drawing: Promise<void> | null = null

/** Resolves when the other identity's page stands, its rows too; null when no switch is being drawn. */
export function whenDrawn(): Promise<void> | null {
  return drawing
}

function draw(): void {
  switching.drawn = false
  const own = new Promise<void>((stands) => {
    afterPaint(() => {
      switching.drawn = true
      afterPaint(() => {
        if (drawing === own) drawing = null
        stands()
      })
    })
  })
  drawing = own
}

const LEAVE = '這一頁還有沒送出的內容。要放棄並切換身份嗎？'
const LEAVE_ELSEWHERE = '另一個分頁切換了身份。這一頁還有沒送出的內容，要放棄並一起切換嗎？'

/**
 * The person switches: asks about unsent input, says the words, fires `context-switched`, which moves the page. `org_id`
 * null = personal. False when it was called off or the organization is not theirs.
 */
export function switchIdentity(org_id: string | null): boolean {
  if (org_id === auth.org_id) return true
  if (isDirty() && !confirm(LEAVE)) return false
  return change(org_id)
}

/** 管理 on /my-organizations: switches and leads on to /organizations/manage (spec §4). */
export function manageOrganization(org_id: string): boolean {
  session.set_from_my_organization(true)
  const done = switchIdentity(org_id)
  if (!done) session.set_from_my_organization(false)
  return done
}

/**
 * The same without moving the page: for a link that names its identity (ruling A5). `path` is where the link leads; `title` what
 * is said above the switch, of the press that led to it: one message for one press.
 */
export function switchContext(org_id: string | null, path: string, title?: string): void {
  const from = auth.org_id
  switching.to = path
  getData().switchContext(org_id)
  const words = wordsFor(org_id)
  toast(title ? { title, description: words.title, icon: 'check' } : words)
  switched(from, 'stay')
}

/** Another tab has switched: this one follows, after a question when something is unsent (ruling A6). */
export function followElsewhere(): void {
  const org_id = session.stored_org_id()
  if (org_id === auth.org_id) {
    refused.clear()
    return
  }
  // it may have joined there a moment ago: the profile of this tab is asked once before it says no
  if (org_id !== null && org_id !== asked && !isMine(org_id)) {
    asked = org_id
    void getData()
      .query.fetchQuery({ ...profileQueries.mine(), staleTime: 0 })
      .then(followElsewhere, followElsewhere)
    return
  }
  if (isDirty()) {
    // asked once per identity: until then this tab goes on as who it was
    if (refused.has(org_id) || !confirm(LEAVE_ELSEWHERE)) {
      refused.add(org_id)
      return
    }
  }
  refused.clear()
  asked = null
  change(org_id, false)
}
const refused = new Set<string | null>()
let asked: string | null = null
const isMine = (org_id: string) => knownProfile()?.organizations.some(({ id }) => id === org_id) === true

/** Another tab has signed in: this one goes on with the same session. True when it is signed in now. */
export function resume(page: 'stay' | 'home' = 'stay'): boolean {
  if (session.resume() === 'unauthenticated') return false
  getData().begin()
  switched(null, page)
  return true
}

function change(org_id: string | null, announce = true): boolean {
  const from = auth.org_id
  if (org_id !== null && !isMine(org_id)) {
    toast({ title: CONTEXT.missing, variant: 'destructive' })
    return false
  }
  draw()
  try {
    getData().switchContext(org_id, { announce })
  } catch (error) {
    switching.drawn = true
    console.warn('switch', error)
    toast({ title: CONTEXT.switch_failed, variant: 'destructive' })
    return false
  }
  switched(from, 'judged')
  if (switching.loads) carryToast(wordsFor(org_id))
  else void drawing?.then(() => toast(wordsFor(org_id)))
  return true
}

function wordsFor(org_id: string | null) {
  const organization = knownProfile()?.organizations.find(({ id }) => id === org_id)
  const title = organization
    ? IDENTITY.to_organization(covered(organization.name), organization.role)
    : IDENTITY.to_personal
  return { title, icon: 'info' as const }
}
