// A report of the source that did not fit the position here, as it stands with its strategy (wire §4).
import * as z from 'zod/mini'
import { at, id } from './fields.ts'

/** A report of the source that did not fit the position here; it stays until a report of the same position fits again. */
export const position_gap = z.object({
  signal_id: id(),
  symbol: z.string(),
  symbol_name: z.string(),
  contract: z.nullable(z.string()),
  occurred_at: at(),
  /** Signed, lots or shares: where the source says it stood before this signal, and where the record stood. */
  reported: z.number(),
  held: z.number(),
  /** Where the signal left the position here. */
  after: z.number(),
  /** The last answer; null while the question is open. */
  answer: z.nullable(z.object({ is: z.enum(['source', 'ignore']), at: at(), by: z.string() })),
})
export type PositionGap = z.infer<typeof position_gap>
