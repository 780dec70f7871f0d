// What is loaded once somebody is signed in, in one piece: what keeps the page up to date, and what each event does.
import { type Live, type LivePorts, startLive } from './live/run.ts'
import { heard } from './nouns/events.ts'
import { keepTables, nameByRecords } from './nouns/tables.ts'

/** Starts it for one visit. */
export const goLive = (ports: Omit<LivePorts, 'heard'>): Live => {
  const live = startLive({ ...ports, heard })
  const letTables = keepTables(ports.query)
  nameByRecords(ports.memory)
  return {
    ...live,
    stop() {
      letTables()
      live.stop()
    },
  }
}
