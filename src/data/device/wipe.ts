// Takes what a person left off this device: their database, what other people left, and the worker's copy of the session.
import type { StorageLike } from '../context.ts'
import type { Shelf } from './shelf.ts'

/** Who is leaving, while what they leave behind is being removed: a page that is closed before it was done is made up for. */
export const LEAVING_KEY = 'lingbo_leaving'

/** The ways to forget; none rejects, failures go to `report`. */
export interface Wipe {
  /** The worker's copy of the session goes: nothing is done in this name any more. */
  session(): Promise<void>
  /** What other people left goes, but for calls that wait for them: somebody else uses this device now. */
  foreign(keep: string | null): Promise<void>
  /** Everything readable goes, of `uid`, whose `shelf` it is, and of everybody but `keep`; calls that wait for their owner stay. */
  all(uid: string, shelf: Shelf, keep: string | null): Promise<void>
  /** Goes on where a page was closed while its person was leaving; `uid` is who is here now, null for nobody. */
  unfinished(uid: string | null): Promise<void>
}

export function createWipe(storage: StorageLike, report: (error: unknown, where: string) => void): Wipe {
  const session = async () => {
    try {
      await (await import('./session-db.ts')).deleteSession()
    } catch (error) {
      report(error, 'session')
    }
  }
  /** Nobody waits for it: the worker is deaf without the session already, and the server forgets the device with it. */
  const pushes = async () => {
    try {
      await (await import('./push.ts')).leavePushes()
    } catch (error) {
      report(error, 'push')
    }
  }
  /** True when it is all gone. */
  const clear = async (keep: string | null): Promise<boolean> => {
    try {
      await (await import('./db.ts')).deleteForeign(keep)
      return true
    } catch (error) {
      report(error, 'database')
      return false
    }
  }
  /** What could not be removed stays marked: the next start tries again. */
  const clearMarked = async (keep: string | null) => {
    if (await clear(keep)) storage.removeItem(LEAVING_KEY)
  }
  return {
    session,
    foreign: async (keep) => void (await clear(keep)),
    async all(uid, shelf, keep) {
      storage.setItem(LEAVING_KEY, uid)
      await Promise.all([shelf.destroy(), session(), pushes()])
      await clearMarked(keep)
    },
    async unfinished(uid) {
      const left = storage.getItem(LEAVING_KEY)
      if (left === null) return
      // whoever came back reads what is their own
      if (left === uid) storage.removeItem(LEAVING_KEY)
      else await Promise.all([clearMarked(uid), ...(uid === null ? [session(), pushes()] : [])])
    },
  }
}
