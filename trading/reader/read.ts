// What a message is to a webhook: read by a confirmed format, refused for what it says, or held until a person has seen it.
import { readPayload } from '../payload/read.ts'
import type { PayloadInput } from '../payload/shape.ts'
import type { ConfirmedFormat, Format, MessageOutcome, Proposal, ProposalInput } from './format.ts'

/** A webhook's confirmed formats, ready to be matched. */
export interface Formats {
  readonly list: readonly ConfirmedFormat[]
}

export function compileFormats(list: readonly ConfirmedFormat[]): Formats {
  return { list }
}

/** Reads a message by the confirmed formats. Never throws. */
export function readMessage(input: PayloadInput, _formats: Formats): MessageOutcome {
  const read = readPayload(input)
  return read.kind === 'signal' ? { ...read, format_id: null } : read
}

/** What a message could mean, for a person to confirm. */
export function proposeFormat(_input: ProposalInput): Proposal {
  return { shape: '', format: null, outcome: null, reason: null, field: null, fields: [], questions: [] }
}

/** A confirmed format with what another of the same parts adds to it; null when they are two. */
export function mergeFormats(_old: Format, _more: Format): Format | null {
  return null
}
