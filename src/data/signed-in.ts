// What is loaded once somebody is signed in, in one piece: what keeps the page up to date, and what each event does.
import { permission, pushAbility } from './device/push.ts'
import { type Live, type LivePorts, startLive } from './live/run.ts'
import { heard } from './nouns/events.ts'
import { keepTables, nameByRecords } from './nouns/tables.ts'

/** Starts it for one visit. */
export const goLive = (ports: Omit<LivePorts, 'heard'>): Live => {
  const live = startLive({ ...ports, heard })
  const letTables = keepTables(ports.query)
  nameByRecords(ports.memory)
  // The calls of pushes are loaded where pushes may come only.
  let letPushes = () => {}
  if (pushAbility() === 'able' && permission() === 'granted')
    void import('./nouns/push.ts').then(
      ({ followPushes }) => {
        letPushes = followPushes(ports.query)
      },
      (error: unknown) => ports.report(error, 'push'),
    )
  return {
    ...live,
    stop() {
      letTables()
      letPushes()
      live.stop()
    },
  }
}
