// Takes what a person left off this device: their database, what other people left, and the worker's copy of the session.
import type { Shelf } from './shelf.ts'

/** The two ways to forget; neither rejects, failures go to `report`. */
export interface Wipe {
  /** The worker's copy of the session goes: nothing is done in this name any more. */
  session(): Promise<void>
  /** Everything readable goes, of `shelf` and of everybody but `keep`; calls that wait for their owner stay. */
  all(shelf: Shelf, keep: string | null): Promise<void>
}

export function createWipe(report: (error: unknown, where: string) => void): Wipe {
  const session = async () => {
    try {
      await (await import('./session-db.ts')).deleteSession()
    } catch (error) {
      report(error, 'session')
    }
  }
  return {
    session,
    async all(shelf, keep) {
      await Promise.all([shelf.destroy(), session()])
      try {
        await (await import('./db.ts')).deleteForeign(keep)
      } catch (error) {
        report(error, 'database')
      }
    },
  }
}
