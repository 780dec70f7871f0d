// The way to the device's database that cannot hurt: opened late, reopened once, and when it is broken the app goes on without.

import type { Clock } from '../clock.ts'
import type { Ctx } from '../context.ts'
import type { DeviceDatabase } from './db.ts'
import { afterFirstPage, type EarlyRows, takeEarlyRows } from './early.ts'

/** Longer than this the app does not wait for the device before it believes the server alone. */
export const SLOW_MS = 1_500

/** One person's database, or the lack of it. */
export interface Shelf {
  /**
   * Runs `work` on the open database. Gives `undefined` when there is none (missing, broken, closed); failures are reported,
   * the first of a kind only, and never thrown. The first page comes first: the database and its code wait for it.
   */
  run<T>(work: (db: DeviceDatabase) => Promise<T>): Promise<T | undefined>
  /** As `run` for somebody who waits: begins at once, and gives up after `most_ms` (`SLOW_MS`); the work itself goes on. */
  soon<T>(work: (db: DeviceDatabase) => Promise<T>, most_ms?: number): Promise<T | undefined>
  /** What was read of this context before the database could be opened; undefined when nothing was, or the device is closed. */
  early(ctx: Ctx): Promise<EarlyRows | undefined> | undefined
  /** From now on nothing is read or written, also not by work that already waits. */
  close(): void
}

export interface ShelfPorts {
  open: () => Promise<DeviceDatabase>
  report(error: unknown): void
  clock: Clock
}

// iOS drops the connection in the background; the same handle never recovers, a new one does (pwa.md §3.6).
const LOST = new Set(['UnknownError', 'DatabaseClosedError', 'InvalidStateError'])
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : String(error))

export function createShelf(ports: ShelfPorts): Shelf {
  let opening: Promise<DeviceDatabase> | null = null
  const first_rows = takeEarlyRows()
  let closed = false
  let broken = false
  const reported = new Set<string>()
  const report = (error: unknown) => {
    if (closed || reported.has(nameOf(error))) return
    reported.add(nameOf(error))
    ports.report(error)
  }
  const handle = async (): Promise<DeviceDatabase> => {
    opening ??= ports.open()
    const db = await opening
    if (closed) db.close()
    return db
  }
  const now = async <T>(work: (db: DeviceDatabase) => Promise<T>): Promise<T | undefined> => {
    for (let again = false; !closed && !broken; again = true) {
      let opened = false
      try {
        const db = await handle()
        opened = true
        return closed ? undefined : await work(db)
      } catch (error) {
        if (closed) return undefined
        if (LOST.has(nameOf(error)) && !again) {
          const lost = opening
          opening = null
          lost?.then(
            (db) => db.close(),
            () => undefined, // it never opened, so there is nothing to close
          )
          continue
        }
        report(error)
        if (!opened) broken = true
        return undefined
      }
    }
    return undefined
  }
  return {
    async run(work) {
      if (!opening) await afterFirstPage()
      return now(work)
    },
    soon: (work, most_ms = SLOW_MS) =>
      new Promise((resolve) => {
        const cancel = ports.clock.after(most_ms, () => resolve(undefined))
        now(work).then((value) => {
          cancel()
          resolve(value)
        }, report)
      }),
    early: (ctx) =>
      first_rows?.then((rows) => (!closed && rows?.ctx === ctx ? rows : undefined)) ?? undefined,
    close() {
      closed = true
      opening?.then(
        (db) => db.close(),
        () => undefined, // it never opened, so there is nothing to close
      )
    },
  }
}
