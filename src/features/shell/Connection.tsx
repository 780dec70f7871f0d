// The connection badge: 線上, 離線 with the age of what is shown, 重新連線中, and what waits to be sent. On phones a page puts it beside its heading.
import { useSnapshot } from 'valtio'
import { connection } from '#state/connection.ts'
import { when } from '#text/time.ts'
import { ConnectionBadge } from '#ui/ConnectionBadge.tsx'
import { useGo } from './go.ts'
import { panelHref, useAsks, useOutbox } from './outbox.ts'
import { useRecords } from './records.ts'

/** `short` leaves the age out (phones: it stands in the strip over the tabs). With something waiting it opens 待送匣. */
export function Connection({ short = false }: { short?: boolean }) {
  const { state } = useSnapshot(connection)
  const { as_of } = useRecords()
  const { open } = useGo()
  const { rows } = useOutbox()
  const asks = useAsks()
  return (
    <ConnectionBadge
      state={state}
      updated={as_of && when(as_of, Date.now())}
      short={short}
      room
      waiting={rows.length}
      asks={asks}
      {...(rows.length > 0 && { href: '?panel=outbox', onOpen: () => open(panelHref()) })}
    />
  )
}
