// The envelope around every answer under /api/v1 (wire.md §1).
import { type ApiError, type ApiErrorDetails, toldError } from './errors.ts'

export interface EnvelopeError
  extends Pick<ApiErrorDetails, 'fields' | 'missing' | 'granted_by' | 'found_in'> {
  success: boolean
  code: number
  msg: string
  text: string
}

export interface Envelope<T> {
  error: EnvelopeError
  result: T | null
}

/** The envelope of a success. */
export function succeed<T>(result: T): Envelope<T> {
  return { error: { success: true, code: 0, msg: '', text: '' }, result }
}

/** The envelope of a refusal. */
export function refuse(error: ApiError): Envelope<never> {
  const { fields, missing, granted_by, found_in } = error.details
  return {
    error: {
      success: false,
      code: error.code,
      msg: error.message,
      text: error.text,
      ...(fields && { fields }),
      ...(missing && { missing }),
      ...(granted_by && { granted_by }),
      ...(found_in && { found_in }),
    },
    result: null,
  }
}

/** True when a value has the envelope's shape, whatever its status (a captive portal's page has not). */
export function isEnvelope(value: unknown): value is Envelope<unknown> {
  if (typeof value !== 'object' || value === null || !('error' in value)) return false
  const { error } = value
  return (
    typeof error === 'object' && error !== null && 'success' in error && typeof error.success === 'boolean'
  )
}

/** Gives the result of an envelope or throws its refusal, also one that arrived with status 200; without a text its msg stands for it (spec §7, §8). */
export function open<T>(envelope: Envelope<T>, status: number): T {
  const { error, result } = envelope
  if (error.success) return result as T
  throw toldError(error.code, told(error), status >= 400 ? status : 400)
}

/** What a refusal says of itself; without a text its msg stands for it. */
export function told({ msg, text, fields, missing, granted_by, found_in }: EnvelopeError): ApiErrorDetails {
  return {
    ...(msg && { msg }),
    ...((text || msg) && { text: text || msg }),
    ...(fields && { fields }),
    ...(missing && { missing }),
    ...(granted_by && { granted_by }),
    ...(found_in && { found_in }),
  }
}
