// What an event may do to this browser: the hands that apply.ts lends, and the nouns' own files say what each kind does with them.
import type { QueryClient } from '@tanstack/react-query'
import type { EventData, EventKind } from '#contract/events.ts'
import type { Ctx } from '../context.ts'
import type { DeviceRecords } from '../device/records.ts'
import type { SignalMemory } from '../device/signals.ts'
import type { Key } from '../keys.ts'
import type { CatchUp } from './catching-up.ts'

export interface Hands {
  query: QueryClient
  memory: SignalMemory
  on_device: DeviceRecords
  catch_up: CatchUp
  /** Who is signed in. */
  uid(): string | null
  /** This tab writes to the device (it leads). */
  writes(): boolean
  /** These answers are asked for again, after the burst and not during it. */
  ask(...keys: readonly Key[]): void
  /** A strategy's records from this place in its chain on have figures that were computed anew. */
  refold(ctx: Ctx, strategy_id: string, from_chain_seq: number): void
  /** Everything of a context goes: memory, device, answers. */
  forget(ctx: Ctx): void
  on_revoked(organization_id: string, reason: EventData['context-revoked']['reason']): void
}

/** What each of these kinds does; the list in memory first, the device and the answers after. */
export type Kinds<K extends EventKind = EventKind> = {
  [Kind in K]: (ctx: Ctx, data: EventData[Kind]) => void
}
/** What a noun says of its events. */
export type Heard<K extends EventKind = EventKind> = (hands: Hands) => Kinds<K>
