// Whether the device says it has a network: for what needs one and should say so before it is pressed.
import { useSyncExternalStore } from 'react'

function follow(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}

export const useOnline = (): boolean => useSyncExternalStore(follow, () => navigator.onLine)
