/* A page's copy is older than it should be although the server is heard: the one sign of the frame is silent then, so the page says it. */
import { useSnapshot } from 'valtio'
import { connection } from '#state/connection.ts'
import { byServerClock, serverNow } from '#text/now.ts'
import { when } from '#text/time.ts'
import { StaleNote } from '#ui/Banner.tsx'
import { SILENT } from './lost.ts'

/** `at` when the copy was fetched (ms since 1970 by this device, or an instant of the server). Nothing while the frame itself says who does not answer, and since when. */
export function Stale({ at }: { at: number | string | null }) {
  const { state } = useSnapshot(connection)
  if (state !== 'online') return null
  const fetched = typeof at === 'number' ? byServerClock(at) : at
  return <StaleNote word={SILENT} time={fetched ? when(fetched, serverNow()) : null} />
}
