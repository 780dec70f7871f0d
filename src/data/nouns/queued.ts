// What a screen asks of a call that waits: is it a signal by hand, is it my name. Their names stand here, away from their shapes,
// because every page asks.
import type { OutboxRow } from '#contract/outbox.ts'

type Waits = Pick<OutboxRow, 'endpoint'>

/** The call that enters a signal, by what is traded. */
export const BY_HAND = { futures: 'signal.manual-futures', stock: 'signal.manual-stock' } as const
/** The call that changes my name alone. */
const MY_NAME = 'profile.update-name'
/** Calls that change my name. */
export const NAMING: readonly string[] = [MY_NAME, 'profile.update']

/** What the signal that it enters is about; null where it enters none. */
export const byHand = ({ endpoint }: Waits): keyof typeof BY_HAND | null =>
  endpoint === BY_HAND.futures ? 'futures' : endpoint === BY_HAND.stock ? 'stock' : null

/** Whether it gives me another name. */
export const isMyName = ({ endpoint }: Waits): boolean => endpoint === MY_NAME
