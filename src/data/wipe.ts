// Takes what a person left off this device: their database, what other people left, and the worker's copy of the session.
import type { Shelf } from './shelf.ts'

/** The two ways to forget; neither rejects, failures go to `report`. */
export interface Wipe {
  /** The worker's copy of the session goes: nothing is done in this name any more. */
  session(): Promise<void>
  /** What other people left goes, but for calls that wait for them: somebody else uses this device now. */
  foreign(keep: string | null): Promise<void>
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
  const foreign = async (keep: string | null) => {
    try {
      await (await import('./db.ts')).deleteForeign(keep)
    } catch (error) {
      report(error, 'database')
    }
  }
  return {
    session,
    foreign,
    async all(shelf, keep) {
      await Promise.all([shelf.destroy(), session()])
      await foreign(keep)
    },
  }
}
