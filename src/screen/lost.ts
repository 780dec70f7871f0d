// Who does not answer: the network, or the server behind one that works. One word for it, wherever it is said.
import { useSyncExternalStore } from 'react'
import { useSnapshot } from 'valtio'
import { connection } from '#state/connection.ts'

export const SILENT = '伺服器沒有回應'

function follow(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}

/** 離線 or 伺服器沒有回應; null while the server is heard, or has not been missed for long. */
export function useLost(): string | null {
  const { state } = useSnapshot(connection)
  const networked = useSyncExternalStore(follow, () => navigator.onLine)
  if (state !== 'offline') return null
  return networked ? SILENT : '離線'
}
