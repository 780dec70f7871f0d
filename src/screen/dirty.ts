// Which forms hold something that is not stored yet: reloads wait for them, and leaving the tab asks first.
import { useEffect, useId } from 'react'
import { proxy, useSnapshot } from 'valtio'

const dirty = proxy<{ forms: Record<string, true> }>({ forms: {} })

/** A form says whether it holds unsent input; it stops counting when it leaves the screen. */
export function useDirtyForm(holds: boolean): void {
  const id = useId()
  useEffect(() => {
    if (!holds) return
    dirty.forms[id] = true
    return () => {
      delete dirty.forms[id]
    }
  }, [id, holds])
}

/** True while any form on the screen holds unsent input. */
export function useDirty(): boolean {
  return Object.keys(useSnapshot(dirty).forms).length > 0
}

/** The same, asked once outside of React. */
export function isDirty(): boolean {
  return Object.keys(dirty.forms).length > 0
}
