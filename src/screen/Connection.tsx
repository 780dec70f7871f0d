// The connection badge: 線上, 離線 with the age of what is shown, 重新連線中, and what waits to be sent. On phones a page puts it beside its heading.
import { useSnapshot } from 'valtio'
import { connection } from '#state/connection.ts'
import { serverNow } from '#text/now.ts'
import { when } from '#text/time.ts'
import { ConnectionBadge } from '#ui/ConnectionBadge.tsx'
import { useGo } from './go.ts'
import { useLost } from './lost.ts'
import { panelHref, useAsks, useOutbox } from './outbox.ts'
import { useRecords } from './records.ts'

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
