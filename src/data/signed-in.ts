// What is loaded once somebody is signed in, in one piece: what keeps the page up to date, and what each event does.
import { onTurnedOn, permission, pushAbility } from './device/push.ts'
import { type Live, type LivePorts, startLive } from './live/run.ts'
import { heard } from './nouns/events.ts'
import { keepTables, nameByRecords } from './nouns/market.ts'
import { countUnread, followNews } from './nouns/notification.ts'
import { watchSeen } from './nouns/seen.ts'
import type { OutboxDoor } from './outbox/door.ts'

type Ports = Omit<LivePorts, 'heard'> & {
  outbox: Pick<OutboxDoor, 'getSnapshot' | 'subscribe' | 'send'>
  /** So many notifications are unread now. */
  on_unread(count: number): void
  on_news(organizations: readonly (string | null)[]): void
  painted(task: () => void): void
  /** Milliseconds since 1970 by the server's clock. */
  server_now(): number
}

/** Starts it for one visit. */
export const goLive = (ports: Ports): Live => {
  const seen = watchSeen({
    ...ports,
    now: ports.server_now,
    ctx: ports.memory.current,
    uid: ports.session.uid,
  })
  const live = startLive({ ...ports, heard: seen.watching(heard) })
  let stopped = false
  // One a task: each asks or counts something, and what the stream brings goes between them.
  const lets: (() => void)[] = []
  const pieces = [
    () => lets.push(keepTables(ports.query)),
    () => lets.push(countUnread(ports.query, ports.outbox, ports.on_unread)),
    () => lets.push(followNews(ports.query, ports.outbox, ports.on_news)),
    () => nameByRecords(ports.memory),
  ]
  const goOn = () => {
    const piece = stopped ? undefined : pieces.shift()
    if (!piece) return
    piece()
    setTimeout(goOn)
  }
  setTimeout(goOn)
  // The calls of pushes are loaded where pushes may come only.
  let letPushes = () => {}
  const follow = (brought: boolean) =>
    void import('./nouns/push.ts').then(
      ({ followPushes }) => {
        if (stopped) return
        letPushes()
        letPushes = followPushes(ports.query, brought)
      },
      (error: unknown) => ports.report(error, 'push'),
    )
  const letTurnedOn = onTurnedOn(() => follow(true))
  if (pushAbility() === 'able' && permission() === 'granted') follow(false)
  return {
    ...live,
    stop() {
      stopped = true
      seen.stop()
      letTurnedOn()
      letPushes()
      for (const let_go of lets) let_go()
      live.stop()
    },
  }
}
