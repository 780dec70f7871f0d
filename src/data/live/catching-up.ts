// What catching up offers to the rest of this room, and what it is handed.
import type { Client } from '../client.ts'
import type { Ctx } from '../context.ts'
import type { Leases } from '../device/leases.ts'
import type { DeviceRecords } from '../device/records.ts'
import type { SignalMemory } from '../device/signals.ts'

export interface CatchUp {
  /** Reads the device's copy into memory: resolves after the newest, the rest follows. */
  load(ctx: Ctx): Promise<void>
  /** Everything since the last time. Never rejects: the list's `error` tells. */
  run(ctx: Ctx): Promise<void>
  /** Everything again, in place of what is held. */
  rebuild(ctx: Ctx): Promise<void>
  /** The stream has begun without a place to go on from: what changed since the device was written, no event will tell. */
  distrust(): void
  /** A strategy's records are others than they were, and will be asked for: until they are here the device does not count as up to date. */
  doubt(ctx: Ctx, strategy_id: string): void
  /** One strategy's records from a place in its chain on; ends the doubt. */
  refold(ctx: Ctx, strategy_id: string, from_chain_seq: number): Promise<void>
  /** An event told of this record while nothing can have been missed: the next catch-up starts behind it. */
  follow(ctx: Ctx, seq: number): void
  /** The list is known to be up to date at this moment (ISO). */
  stillCurrent(ctx: Ctx, as_of: string): void
  forget(ctx: Ctx): void
}

export interface CatchUpPorts {
  client: Client
  memory: SignalMemory
  on_device: DeviceRecords
  leases: Pick<Leases, 'take'>
  /** Of a context everything about these strategies goes; `known`: ids that may be meant. */
  forgetStrategies(ctx: Ctx, gone: (strategy_id: string) => boolean, known?: readonly string[]): void
  signal: AbortSignal
  report(error: unknown): void
}
