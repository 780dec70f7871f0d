// What a robot gets: the record, or a test that carries none, so that nothing can be mistaken for a signal.
import type { OutgoingMessage } from '../../channel.ts'

/** The exact text that is signed; null when the message is none for a robot. */
export function bodyOf({ kind, record, at }: OutgoingMessage): string | null {
  if (kind === 'test') return JSON.stringify({ type: 'test', timestamp: at, data: null })
  if (kind !== 'signal' || record === null) return null
  // As the event stream names them: `source` says void or correction, `refers_to` which record.
  const voided = record.source === 'void' || record.source === 'correction'
  return JSON.stringify({ type: voided ? 'signal.voided' : 'signal.created', timestamp: at, data: record })
}
