// Phones, offline: one line over the tabs that says how old everything is. It lies over the page, so that nothing jumps.
import { useSnapshot } from 'valtio'
import { connection } from '#state/connection.ts'
import { when } from '#text/time.ts'
import { StaleNote } from '#ui/StaleNote.tsx'
import { useRecords } from './records.ts'

export function OfflineStrip() {
  const { state } = useSnapshot(connection)
  const { as_of } = useRecords()
  if (state !== 'offline') return null
  return (
    <div className="strip mob">
      <StaleNote time={as_of && when(as_of, Date.now())} />
    </div>
  )
}
