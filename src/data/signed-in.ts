// What is loaded once somebody is signed in, in one piece: what keeps the page up to date, and what each event does.
import { permission, pushAbility } from './device/push.ts'
import { type Live, type LivePorts, startLive } from './live/run.ts'
import { heard } from './nouns/events.ts'
import { keepTables, nameByRecords } from './nouns/tables.ts'
import { countUnread } from './nouns/unread.ts'
import type { OutboxDoor } from './outbox/door.ts'

type Ports = Omit<LivePorts, 'heard'> & {
  outbox: Pick<OutboxDoor, 'getSnapshot' | 'subscribe'>
  /** So many notifications are unread now. */
  on_unread(count: number): void
}

/** Starts it for one visit. */
export const goLive = (ports: Ports): Live => {
  const live = startLive({ ...ports, heard })
  const letTables = keepTables(ports.query)
  const letUnread = countUnread(ports.query, ports.outbox, ports.on_unread)
  nameByRecords(ports.memory)
  // The calls of pushes are loaded where pushes may come only.
  let stopped = false
  let letPushes = () => {}
  if (pushAbility() === 'able' && permission() === 'granted')
    void import('./nouns/push.ts').then(
      ({ followPushes }) => {
        if (!stopped) letPushes = followPushes(ports.query)
      },
      (error: unknown) => ports.report(error, 'push'),
    )
  return {
    ...live,
    stop() {
      stopped = true
      letTables()
      letPushes()
      letUnread()
      live.stop()
    },
  }
}
