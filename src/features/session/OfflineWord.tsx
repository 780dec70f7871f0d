// Before one is signed in: that the device is offline, said at the top before the form is filled in for nothing.
import { useSyncExternalStore } from 'react'
import { ConnectionBadge } from '#ui/ConnectionBadge.tsx'

function follow(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}

export function OfflineWord() {
  const online = useSyncExternalStore(follow, () => navigator.onLine)
  return online ? null : <ConnectionBadge state="offline" word="離線，登入與註冊要連上網路" />
}
