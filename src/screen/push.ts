// Pushes on this device, for a screen: how they stand, and the two taps.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { type PushSnapshot, pushHere, pushQueries, standsBy } from '#data/nouns/push.ts'

export interface UsePush extends PushSnapshot {
  /** What the server says of this device is under way: a push service may have given it up. */
  asking: boolean
  /** Call it straight from the tap: browsers take the question from nothing else. */
  enable(device_label?: string): Promise<void>
  disable(): Promise<void>
}

export function usePush(): UsePush {
  const snapshot = useSyncExternalStore(pushHere.subscribe, pushHere.getSnapshot)
  useEffect(() => void pushHere.look(), [])
  const on = snapshot.state === 'on'
  const { data, isFetching } = useQuery({ ...pushQueries.devices(), enabled: on })
  return {
    ...snapshot,
    state: standsBy(snapshot, data),
    asking: on && data === undefined && isFetching,
    enable: pushHere.enable,
    disable: pushHere.disable,
  }
}
