// Takes what can be read of people off this device: their databases, the worker's copy of the session, their pushes.
import { DATABASE_PREFIX } from './database-name.ts'

/** Neither way rejects, failures go to `report`: what could not be removed goes at the next start. */
export interface Wipe {
  /** What people but `signed_in` left goes; calls that wait for their owners stay. `signed_in` is asked before each. */
  foreign(signed_in: () => string | null): Promise<void>
  /** The same where nobody need be signed in any more: then nothing is done in anybody's name either. */
  all(signed_in: () => string | null): Promise<void>
}

export function createWipe(report: (error: unknown, where: string) => void): Wipe {
  const tell = (where: string) => (error: unknown) => report(error, where)
  const foreign: Wipe['foreign'] = (signed_in) =>
    import('./db.ts').then(({ deleteForeign }) => deleteForeign(signed_in)).catch(tell('database'))
  const session = () =>
    import('./session-db.ts').then(({ deleteSession }) => deleteSession()).catch(tell('session'))
  /** The worker is deaf without the session already, and the server forgets the device with it. */
  const pushes = () => import('./push.ts').then(({ leavePushes }) => leavePushes()).catch(tell('push'))
  return {
    foreign,
    async all(signed_in) {
      if (!(await anythingKept().catch(tell('database')))) return
      await Promise.all([foreign(signed_in), ...(signed_in() === null ? [session(), pushes()] : [])])
    },
  }
}

/** Looks without the code that opens databases: a visitor has none of ours. */
async function anythingKept(): Promise<boolean> {
  if (typeof indexedDB === 'undefined') return false
  // an old browser names no databases: those who open them find out
  if (!('databases' in indexedDB)) return true
  return (await indexedDB.databases()).some(({ name }) => name?.startsWith(DATABASE_PREFIX))
}
