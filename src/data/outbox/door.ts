// The outbox as screens hold it: what waits, at once; everything else is loaded when somebody is signed in.
import type { InputOf, MayWait, OutputOf } from '#contract/endpoint.ts'
import type { Outbox, OutboxPorts, OutboxSnapshot, Posted, Posting } from './store.ts'

export interface OutboxDoor {
  /** Stable until it changes: fits useSyncExternalStore. */
  getSnapshot(): OutboxSnapshot
  subscribe(listener: () => void): () => void
  /**
   * Keeps the call on the device, then tries to send it. Resolves with the answer if it comes soon, else as queued. Throws
   * `ApiError` when the server refuses it at once (then nothing is kept, since the screen still has the input; only what
   * corrects a refused one stays, as that one did), `NotKept` when it could be neither kept nor sent.
   */
  send<E extends MayWait>(endpoint: E, input: InputOf<E>, posting: Posting): Promise<Posted<OutputOf<E>>>
  /** The rest of it, for the person signed in; rejects when nobody is. */
  open(): Promise<Outbox>
}

/** What start.ts does with it beyond that. */
export interface OutboxKeeper extends OutboxDoor {
  /** Runs it, if it is open or `always`; failures are reported. */
  tell(work: (outbox: Outbox) => unknown, always?: boolean): void
  close(): void
}

const NOTHING: OutboxSnapshot = { rows: [], receipts: [] }

export function createDoor(ports: OutboxPorts): OutboxKeeper {
  const listeners = new Set<() => void>()
  let snapshot = NOTHING
  let own: { uid: string; outbox: Promise<Outbox> } | null = null
  const set = (next: OutboxSnapshot) => {
    snapshot = next
    for (const listener of [...listeners]) listener()
  }
  const close = () => {
    own?.outbox.then(
      (outbox) => outbox.stop(),
      () => undefined, // it never came, so there is nothing to stop
    )
    own = null
    set(NOTHING)
  }
  const open = async () => {
    const uid = ports.session.uid()
    if (uid === null) throw new Error('nobody is signed in')
    if (own?.uid !== uid) {
      close()
      const mine = {
        uid,
        outbox: import('./page.ts').then(({ startOutbox }) =>
          startOutbox(uid, ports, (next) => own === mine && set(next)),
        ),
      }
      own = mine
      mine.outbox.catch(() => {
        if (own === mine) own = null
      })
    }
    return own.outbox
  }
  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    send: async (endpoint, input, posting) =>
      (await open()).send(endpoint, input as Record<string, unknown>, posting) as Promise<
        Posted<OutputOf<typeof endpoint>>
      >,
    open,
    tell(work, always) {
      const outbox = always ? open() : own?.outbox
      outbox?.then(work).catch((error: unknown) => ports.report(error, 'outbox'))
    },
    close,
  }
}
