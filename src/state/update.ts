// A new version of the app that waits to take over.
import { proxy } from 'valtio'

/** `waiting`: the worker is ready; `applying`: the person said yes; `apply` is set by whoever registered the worker. */
export const update = proxy<{ waiting: boolean; applying: boolean }>({ waiting: false, applying: false })

let apply: (() => void) | null = null

/** A new worker waits; `how` makes it take over. */
export function updateWaits(how: () => void): void {
  apply = how
  update.waiting = true
}

/** Lets the waiting version take over. */
export function applyUpdate(): void {
  if (!apply) return
  update.applying = true
  apply()
}
