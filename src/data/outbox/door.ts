// The outbox as screens hold it: what waits, at once; everything else is loaded when somebody is signed in.
import type { QueryClient } from '@tanstack/react-query'
import type { Endpoint, InputOf, MayWait, OutputOf } from '#contract/endpoint.ts'
import type { OutboxRow } from '#contract/outbox.ts'
import type { Client } from '../client.ts'
import type { Clock } from '../clock.ts'
import type { SessionPort } from '../context.ts'
import type { LocksLike } from '../live/run.ts'
import type { TabMessage } from '../live/tabs.ts'
import type { Receipt } from './rows.ts'

/** What waits of the person signed in, oldest first, and what arrived within the last day. Never changed; a new one per change. */
export interface OutboxSnapshot {
  readonly rows: readonly OutboxRow[]
  readonly receipts: readonly Receipt[]
}

/** `label` says what it is (改名為「…」); `base` the values before; `lasts_ms` how long it may go by itself (default: the call's own). */
export interface Posting {
  label: string
  base?: Record<string, unknown>
  lasts_ms?: number
}

/** It arrived and this is the answer; or it is kept and goes out later. */
export type Posted<T> = { queued: false; result: T } | { queued: true; key: string }

/** The part that is loaded later. */
export interface Outbox {
  /** See `OutboxDoor.send`. */
  send(endpoint: Endpoint, input: Record<string, unknown>, posting: Posting): Promise<Posted<unknown>>
  /** 立即重試, 仍要送出; false when it is gone or on its way. */
  retry(key: string): Promise<boolean>
  /** 取消, 放棄; false when it is on its way at this moment. */
  cancel(key: string): Promise<boolean>
  /** Tries everything that waits, once; resolves with how many are left. */
  sendAll(): Promise<number>
  /** Throws everything away; resolves with how many could not be taken back. */
  discardAll(): Promise<number>
  /** Calls of other people on this device. */
  foreign(): Promise<number>
  revoke(org_id: string): Promise<void>
  hear(): void
  stop(): void
}

export interface OutboxPorts {
  client: Client
  query: QueryClient
  session: SessionPort
  locks: LocksLike | null
  clock: Clock
  offset_ms(): number
  online(): boolean
  on_change(listener: () => void): () => void
  random(): number
  post(message: TabMessage): void
  report(error: unknown, where: string): void
  /** How many calls wait now; comes with every change. */
  on_waiting(count: number): void
}

export interface OutboxDoor {
  /** Stable until it changes: fits useSyncExternalStore. */
  getSnapshot(): OutboxSnapshot
  subscribe(listener: () => void): () => void
  /**
   * Keeps the call on the device, then tries to send it. Resolves with the answer if it comes soon, else as queued. Throws
   * `ApiError` when the server refuses it at once (then nothing is kept: the screen still has the input), `NotKept` when it
   * could be neither kept nor sent.
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
