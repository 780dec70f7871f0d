// Which refusal it was.
import { ApiError } from '#contract/errors.ts'

/** True when there is no such thing, or none that this person may see. */
export function notFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}
