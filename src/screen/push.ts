// Pushes on this device, for a screen: how they stand, and the two taps.
import { useEffect, useSyncExternalStore } from 'react'
import { type PushSnapshot, pushHere } from '#data/nouns/push.ts'

export interface UsePush extends PushSnapshot {
  /** Call it straight from the tap: browsers take the question from nothing else. */
  enable(device_label?: string): Promise<void>
  disable(): Promise<void>
}

export function usePush(): UsePush {
  const snapshot = useSyncExternalStore(pushHere.subscribe, pushHere.getSnapshot)
  useEffect(() => void pushHere.look(), [])
  return { ...snapshot, enable: pushHere.enable, disable: pushHere.disable }
}
