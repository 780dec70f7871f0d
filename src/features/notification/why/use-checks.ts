// What the checks of 為什麼沒收到 go by: four answers, each of which may be under way, here, or lost, and how pushes stand.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { notificationQueries } from '#data/nouns/notification.ts'
import { channelQueries } from '#data/nouns/notification-setting.ts'
import { useData } from '#screen/data.tsx'
import { notFound } from '#screen/failure.ts'
import { usePush } from '#screen/PushDevices.tsx'
import { connection } from '#state/app.ts'
import { useSetting } from '../setting/use-setting.ts'
import { useListedStrategy, useStrategies } from '../setting/use-strategies.ts'
import { checks } from './checks.ts'

/** Mostly it answers at once. */
const DEVICE_MS = 1_000

/** `id` of the strategy that is asked about. */
export function useChecks(id: string | undefined) {
  const { now } = useData()
  const { state } = useSnapshot(connection)
  const push = usePush()
  const { asked, setting, change } = useSetting()
  const channels = useQuery(channelQueries.list())
  const told = useInfiniteQuery(notificationQueries.deliveries())
  const { list, strategies, others } = useStrategies()
  const { strategy: chosen, asked: one } = useListedStrategy(id ?? null, strategies)
  const answers = [asked, channels, told, list, one]
  // its words take more lines or fewer: with the list, not into it
  const patient = usePatience()
  const looking = (push.state === 'checking' || push.asking) && patient
  const asking = looking || answers.some(({ isLoading }) => isLoading)
  // nothing is judged of a strategy that this identity does not have: asking once more gives no other answer
  const missing = notFound(one.error) && !chosen ? one.error : null
  const failed = answers.filter(({ error }) => error && error !== missing)
  const steps = checks({
    now: new Date(now()).toISOString(),
    connection: state,
    asking,
    push: push.asking ? 'checking' : push.state,
    setting,
    channels: channels.data,
    deliveries: told.data?.pages[0]?.items,
    strategy: chosen ?? null,
    strategies: list.data?.total,
    others,
    silent: list.data && strategies.filter(({ my_notify }) => !my_notify.enabled).map(({ name }) => name),
  })
  const old = failed.filter(({ data }) => data).map(({ dataUpdatedAt }) => dataUpdatedAt)
  return {
    steps,
    asking,
    /** Why the strategy that is asked about cannot be. */
    missing,
    /** Too little is known for the list: which steps there are comes with these. The last one may be late by itself. */
    waits: looking || [asked, channels, list, one].some(({ isLoading }) => isLoading),
    push,
    change,
    chosen,
    strategies: chosen && !strategies.includes(chosen) ? [chosen, ...strategies] : strategies,
    /** Something could not be asked that may be there now. */
    lost: failed.length > 0 && state !== 'offline',
    /** The oldest copy that stands in for an answer, ms. */
    stale_at: old.length > 0 ? Math.min(...old) : null,
    busy: failed.some(({ isFetching }) => isFetching),
    again: () => {
      for (const { refetch } of failed) void refetch()
    },
  }
}

/** True until this device had its time to say how it stands: a browser that never does must not hide the other steps. */
function usePatience(): boolean {
  const [patient, setPatient] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setPatient(false), DEVICE_MS)
    return () => clearTimeout(timer)
  }, [])
  return patient
}
