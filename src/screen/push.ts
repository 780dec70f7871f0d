// Pushes on this device, for a screen: how they stand, and the two taps.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import type { NotificationChannel } from '#contract/notification.ts'
import { channelQueries, settingQueries } from '#data/nouns/notification-setting.ts'
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

/** A phone or a tablet: what one carries. */
export const isCarried = () => matchMedia('(pointer: coarse)').matches

/**
 * Nothing has ever sounded for this person: of the channels that carry signals none was reached. False while that is not known, or
 * where it is not `asked`.
 */
export function useNeverRang(asked: boolean): boolean {
  const { data: channels } = useQuery({ ...channelQueries.list(), enabled: asked })
  const { data: setting } = useQuery({ ...settingQueries.mine(), enabled: asked })
  if (!asked || !channels || !setting) return false
  const reached = ({ channel, state, last_ok_at }: NotificationChannel) =>
    channel !== 'in_app' &&
    channel !== 'webhook' &&
    state === 'bound' &&
    last_ok_at !== null &&
    setting.kinds.signal[channel]
  return !channels.some(reached)
}
