// One person's time on this page: their copy on the device, their leases, their tabs.
import type { QueryClient } from '@tanstack/react-query'
import type { Clock } from '../clock.ts'
import { type Boot, createBoot } from '../device/boot.ts'
import { withholdEnded } from '../device/early.ts'
import { createLeases, type Leases } from '../device/leases.ts'
import { createShelf, type Shelf } from '../device/shelf.ts'
import type { Live } from '../live/run.ts'
import { joinTabs, type TabChannel, type TabMessage } from '../live/tabs.ts'
import type { DataPorts } from '../ports.ts'
import type { Renewal } from './renew.ts'

const CHANNEL = 'lingbo'
/** Where what is live cannot be loaded, what waits for it must not grow for ever. */
const EARLY_MOST = 1_000

export interface Visit {
  uid: string
  /** Which sign-in it is: the token may be renewed meanwhile. */
  sid: string | undefined
  shelf: Shelf
  boot: Boot
  tabs: TabChannel
  leases: Leases
  live: Live | null
  renewal: Renewal | null
  /** The first paint is over: the network may be used for what nobody waits for. */
  begun: boolean
  /** Lets the device's database be opened. */
  open(): void
  /** To what is live, once it is: what other tabs tell before waits for it. */
  bring(message?: TabMessage): void
}

export interface VisitPorts {
  page: Pick<DataPorts, 'session' | 'storage' | 'channel'>
  query: QueryClient
  clock: Clock
  offset_ms(): number
  report(error: unknown, where: string): void
  hear(message: TabMessage): void
}

/** Nothing is opened or asked yet. */
export function createVisit(uid: string, ports: VisitPorts): Visit {
  const { page, clock, report } = ports
  let open = () => {}
  const ready = new Promise<void>((resolve) => {
    open = resolve
  })
  const leases = createLeases(
    page.storage,
    uid,
    () => clock.now() + ports.offset_ms(),
    (kept, alive) =>
      void import('../device/session-db.ts')
        .then(({ saveLeases }) => (alive() ? saveLeases(kept) : undefined))
        .catch((error: unknown) => report(error, 'leases')),
  )
  // Before anybody reads: what ended while nobody looked.
  const ended = leases.ended()
  withholdEnded(ended)
  const shelf = createShelf({
    open: async () => {
      await ready
      const db = await (await import('../device/db.ts')).openDatabase(uid)
      const { sweepEnded, sweepUnveiled } = await import('../device/sweep.ts')
      await sweepUnveiled(db)
      await sweepEnded(db, ended)
      return db
    },
    report: (error) => report(error, 'database'),
    clock,
  })
  const boot = createBoot(ports.query, page.storage, uid, (error) => report(error, 'profile'))
  const tabs = joinTabs(page.channel(CHANNEL), uid, ports.hear, report)
  const sid = page.session.claims()?.sid
  const early: TabMessage[] = []
  const visit: Visit = {
    uid,
    sid,
    shelf,
    boot,
    tabs,
    leases,
    live: null,
    renewal: null,
    begun: false,
    open,
    bring(message) {
      if (message) early.push(message)
      if (!visit.live) early.splice(0, early.length - EARLY_MOST)
      else for (const one of early.splice(0)) visit.live.hear(one)
    },
  }
  return visit
}
