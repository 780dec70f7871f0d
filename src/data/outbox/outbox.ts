// What the outbox does for a page, and what it is given: the door holds it, page.ts is it.
import type { QueryClient } from '@tanstack/react-query'
import type { Endpoint } from '#contract/endpoint.ts'
import type { OutboxRow } from '#contract/outbox.ts'
import type { Client } from '../client.ts'
import type { Clock } from '../clock.ts'
import type { SessionPort } from '../context.ts'
import type { LocksLike } from '../live/run.ts'
import type { TabMessage } from '../live/tabs.ts'
import type { Arrived } from './store.ts'

/** What waits of the person signed in, oldest first, and what arrived within the last day. Never changed; a new one per change. */
export interface OutboxSnapshot {
  readonly rows: readonly OutboxRow[]
  readonly receipts: readonly Arrived[]
}

/**
 * `label` says what it is (改名為「…」); `base` the values before; `lasts_ms` how long it may go by itself (default: the call's
 * own); `instead` the key of a refused one that it is a corrected version of: it takes its place in the order.
 */
export interface Posting {
  label: string
  base?: Record<string, unknown>
  lasts_ms?: number
  instead?: string
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

// What waiting calls write over a kept answer. Taking a row out of the outbox is the whole rollback; which fields are whose, each noun says.

/**
 * The fields that calls of these names write, oldest first: what arrived after `data_at` (ms; the answer does not know of it
 * yet), then what waits. What the server refused does not count. Null when there is nothing.
 */
export function written(
  { rows, receipts }: OutboxSnapshot,
  data_at: number,
  is_mine: (call: { endpoint: string; params: Record<string, string> }) => boolean,
): Record<string, unknown> | null {
  const parts = receipts
    .filter((receipt) => receipt.sent_at >= data_at && is_mine(receipt))
    .sort((a, b) => a.sent_at - b.sent_at)
    .flatMap(({ body, result }) => [body, result as object | null])
  for (const row of rows) if (row.state !== 'failed' && is_mine(row)) parts.push(row.body)
  return parts.length > 0 ? Object.assign({}, ...parts) : null
}
