// What a refused form shows, and which refusal it was.
import { ApiError } from '#contract/errors.ts'
import { failureSentence, refusedFields } from '#screen/failure.ts'
import type { Refusal } from '#ui/use-form.ts'

/** What a form with the fields `at` shows of a refusal: messages there, or one sentence when none of them is to blame. */
export function refusal(error: unknown, safe: string, at: readonly string[]): Refusal {
  const fields = refusedFields(error) ?? {}
  return at.some((name) => fields[name]) ? { fields } : { fields, text: failureSentence(error, safe) }
}

/** The refusal's code, or null when no answer came. */
export function codeOf(error: unknown): number | null {
  return error instanceof ApiError ? error.code : null
}
