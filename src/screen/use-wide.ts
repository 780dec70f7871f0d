// Whether the window is wide enough for tables; below it they are cards (spec §2: phones are narrower than 768).
import { useSyncExternalStore } from 'react'
import { MOBILE_BELOW_PX } from '#contract/limits.ts'

const query = matchMedia(`(min-width: ${MOBILE_BELOW_PX}px)`)

function subscribe(changed: () => void) {
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

/** True from 768 px on; changes with the window. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}
