// Why a message is not taken: thrown once inside the reader, so that every step can be written as if all went well.
import type { ReadReason } from './shape.ts'

/** A refusal, or an understood message that is no signal; `field` names the leaf it is about. */
export class Refusal extends Error {
  readonly code: ReadReason | 'test' | 'not_a_trade'
  readonly field: string | null

  constructor(code: Refusal['code'], field: string | null, reason: string) {
    super(reason)
    this.code = code
    this.field = field
  }
}

/** A value as a reason quotes it. */
export function quoted(value: unknown): string {
  const text = String(value).toWellFormed().trim()
  return `「${text.length > 40 ? `${text.slice(0, 40)}…` : text}」`
}
