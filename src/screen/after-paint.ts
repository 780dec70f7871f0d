// What may wait until the person has seen an answer.
import { useEffect, useState } from 'react'
import type { Role } from '#contract/permissions.ts'

/** A tab that is not painted at all does not wait longer than this. */
const AT_LAST_MS = 1_000

/** One for all: what is sent from a frame's callback arrives after that frame. */
let channel: MessageChannel | null = null
const waiting: (() => void)[] = []

function afterFrame(task: () => void): void {
  if (channel === null) {
    channel = new MessageChannel()
    channel.port1.onmessage = () => waiting.shift()?.()
  }
  waiting.push(task)
  channel.port2.postMessage(null)
}

/** Runs `task` once the next frame stands on the screen; in a hidden tab, which has no frames, at once after the current work. */
export function afterPaint(task: () => void): void {
  let run: (() => void) | null = () => {
    run = null
    clearTimeout(timer)
    task()
  }
  const timer = setTimeout(() => run?.(), document.hidden ? 0 : AT_LAST_MS)
  requestAnimationFrame(() => afterFrame(() => run?.()))
}

/** False until the component's first frame stands, and again until that of another `what`: the rest is drawn then. */
export function useDrawn(what = ''): boolean {
  const [drawn, setDrawn] = useState<string | null>(null)
  useEffect(() => {
    let gone = false
    afterPaint(() => {
      if (!gone) setDrawn(what)
    })
    return () => {
      gone = true
    }
  }, [what])
  return drawn === what
}

// Where one lands after the identity has changed (spec §4): the overlapping redirects in the order of ruling A21.

/** In which context somebody acts: `org_id` null = personal, then without a role. */
export interface Acting {
  org_id: string | null
  role: Role | null
}

/** `load` fetches the page afresh, `go` moves inside the application, `stay` keeps the page. */
export type Landing =
  | { kind: 'stay' }
  | { kind: 'go'; to: '/dashboard' | '/organizations/manage' }
  | { kind: 'load'; to: '/dashboard' }

const STAY: Landing = { kind: 'stay' }
const HOME: Landing = { kind: 'go', to: '/dashboard' }
const LOAD: Landing = { kind: 'load', to: '/dashboard' }

/** Pages that create or edit something. */
const WRITES = /^\/(strategies\/create(\/[^/]+)?|strategies\/[^/]+\/edit|organizations\/create)$/

/**
 * `path` is the page's path without query. `from_my_organization`: the switch began with 管理 on /my-organizations. When both
 * contexts are the same one only the role has changed, and a page that is still allowed stays (ruling A14).
 */
export function afterSwitch(
  path: string,
  from: Acting,
  to: Acting,
  flags: { from_my_organization: boolean },
): Landing {
  const page = path.length > 1 ? path.replace(/\/+$/, '') : path
  if (page === '/my-organizations' && to.role === 'admin' && flags.from_my_organization)
    return { kind: 'go', to: '/organizations/manage' }
  if (WRITES.test(page) && to.role === 'member') return LOAD
  if (page === '/organizations/manage' && to.role !== 'admin') return LOAD
  if (page === '/organizations/info' && to.org_id === null) return LOAD
  if (page === '/dashboard' || page === '/strategies' || from.org_id === to.org_id) return STAY
  return HOME
}

// After the first paint: when the browser has nothing better to do, what is not needed at once may load.

/** Runs `task` after the first paint, at the latest after two seconds; the answer calls it off. */
export function whenIdle(task: () => void): () => void {
  // Safari has no requestIdleCallback
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(task, 300)
    return () => clearTimeout(timer)
  }
  const ticket = requestIdleCallback(task, { timeout: 2_000 })
  return () => cancelIdleCallback(ticket)
}

// Code that is fetched after the first paint: offline before it was stored, it waits for the network instead of taking the page down.

/** What `load` gives; while the device is offline it is asked again when the network is back. Online its error is thrown. */
export async function patiently<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (navigator.onLine) throw error
    await new Promise<void>((back) => addEventListener('online', () => back(), { once: true }))
    return patiently(load)
  }
}
