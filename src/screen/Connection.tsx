// The connection badge: 線上, 離線 with the age of what is shown, 重新連線中, and what waits to be sent. On phones a page puts it beside its heading.

import { useSnapshot } from 'valtio'
import { connection } from '#state/app.ts'
import { byServerClock, serverNow } from '#text/now.ts'
import { when } from '#text/time.ts'
import { StaleNote } from '#ui/EmptyState.tsx'
import { ConnectionBadge } from '#ui/Tag.tsx'
import { useOnline } from './browser.ts'
import { useRecords } from './data.tsx'
import { useGo } from './go.ts'
import { panelHref, useAsks, useOutbox } from './outbox.ts'

/** `short` for phones, where the strip over the tabs takes over while nobody answers. `rest` takes all the room of its line. With something waiting it opens 待送匣. */
export function Connection({ short = false, rest = false }: { short?: boolean; rest?: boolean }) {
  const { state } = useSnapshot(connection)
  const { as_of } = useRecords()
  const lost = useLost()
  const { open } = useGo()
  const { rows } = useOutbox()
  const asks = useAsks()
  // one sign is enough: the strip says who does not answer, since when, and what waits
  if (short && lost) return <ConnectionBadge state={state} hidden />
  return (
    <ConnectionBadge
      state={state}
      {...(lost && { word: lost })}
      updated={as_of && when(as_of, serverNow())}
      short={short}
      room={rest ? 'rest' : 'state'}
      waiting={rows.length}
      asks={asks}
      {...(rows.length > 0 && { href: '?panel=outbox', onOpen: () => open(panelHref()) })}
    />
  )
}

// Who does not answer: the network, or the server behind one that works. One word for it, wherever it is said.

export const SILENT = '伺服器沒有回應'

/** 離線 or 伺服器沒有回應; null while the server is heard, or has not been missed for long. */
export function useLost(): string | null {
  const { state } = useSnapshot(connection)
  const networked = useOnline()
  if (state !== 'offline') return null
  return networked ? SILENT : '離線'
}

/* A page's copy is older than it should be although the server is heard: the one sign of the frame is silent then, so the page says it. */

/** `at` when the copy was fetched (ms since 1970 by this device, or an instant of the server). Nothing while the frame itself says who does not answer, and since when. */
export function Stale({ at }: { at: number | string | null }) {
  const { state } = useSnapshot(connection)
  if (state !== 'online') return null
  const fetched = typeof at === 'number' ? byServerClock(at) : at
  return <StaleNote word={SILENT} time={fetched ? when(fetched, serverNow()) : null} />
}
