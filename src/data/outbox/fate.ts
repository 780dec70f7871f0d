// What a screen that waits for its call is told: it arrived, it was refused, or it stays in the outbox and goes out later.
import { toldError } from '#contract/errors.ts'
import type { Clock } from '../clock.ts'
import { ready } from './rows.ts'
import type { Kept } from './store.ts'

/** Nobody waits longer than this in front of a form; the call itself goes on. */
export const PATIENCE_MS = 5_000

export type Fate =
  | { kind: 'sent'; result: unknown }
  | { kind: 'refused'; error: unknown }
  | { kind: 'queued' }

export interface Fates {
  /** Resolves when the call's fate is known, at the latest after five seconds. `look` asks for a first look. */
  of(key: string, look: () => void): Promise<Fate>
  /** The state of the outbox has changed. */
  look(kept: Kept): void
  /** The refusal itself, richer than what the row keeps of it. */
  refused(key: string, error: unknown): void
  stop(): void
}

export function createFates(clock: Clock, online: () => boolean, now: () => number): Fates {
  const waiting = new Map<string, (fate: Fate) => void>()
  const errors = new Map<string, unknown>()

  const fateOf = (key: string, { rows, receipts }: Kept): Fate | null => {
    const receipt = receipts.find((one) => one.key === key)
    if (receipt) return { kind: 'sent', result: receipt.result }
    const row = rows.find((one) => one.key === key)
    if (row?.state === 'sending') return null
    if (row?.state === 'failed') {
      const told = { ...(row.last_text !== null && { text: row.last_text }) }
      const error = errors.get(key) ?? toldError(row.last_code ?? 5000, told, row.last_status ?? undefined)
      return { kind: 'refused', error }
    }
    // replaced by a newer one, tried without success, or not its turn
    if (row?.state !== 'waiting' || row.attempts > 0 || !online()) return { kind: 'queued' }
    const head = rows.find(({ lane }) => lane === row.lane)
    const moves = head?.state === 'sending' || ready(rows, now(), false).some((one) => one === head)
    return moves ? null : { kind: 'queued' }
  }
  return {
    of: (key, look) =>
      new Promise((resolve) => {
        const settle = (fate: Fate) => {
          cancel()
          waiting.delete(key)
          errors.delete(key)
          resolve(fate)
        }
        const cancel = clock.after(PATIENCE_MS, () => settle({ kind: 'queued' }))
        waiting.set(key, settle)
        look()
      }),
    look(kept) {
      for (const [key, settle] of [...waiting]) {
        const fate = fateOf(key, kept)
        if (fate) settle(fate)
      }
    },
    refused(key, error) {
      if (waiting.has(key)) errors.set(key, error)
    },
    stop() {
      for (const settle of [...waiting.values()]) settle({ kind: 'queued' })
    },
  }
}
