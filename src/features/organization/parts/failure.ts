// What a failed call says on these screens: what happened, what is safe, what to do.
import { ApiError } from '#contract/errors.ts'
import { NetworkError } from '#data/failure.ts'
import type { Refusal } from '#ui/use-form.ts'

/** Messages by field of a refusal; a taken name (4090) belongs to the name. Empty when no field is to blame. */
export function refusedFields(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  if (error.code === 4090) return { name: error.text }
  return error.code === 4220 ? (error.details.fields ?? {}) : {}
}

/** What a form with the fields `at` shows of a refusal: messages there, or one sentence when none of them is to blame. */
export function refusal(error: unknown, safe: string, at: readonly string[]): Refusal {
  const fields = refusedFields(error)
  return at.some((name) => fields[name]) ? { fields } : { fields, text: failureText(error, safe) }
}

/** The refusal's code, or null when no answer came. */
export function codeOf(error: unknown): number | null {
  return error instanceof ApiError ? error.code : null
}

/** One sentence about a call that failed; `safe` says what is kept meanwhile (ends with a comma or a full stop, or is empty). */
export function failureText(error: unknown, safe = ''): string {
  if (error instanceof ApiError) return Object.values(error.details.fields ?? {})[0] ?? error.text
  if (!(error instanceof NetworkError)) return `發生問題，${safe}請再試一次。`
  if (error.kind === 'offline') return `目前離線。${safe}連線後再試一次。`
  if (error.kind === 'timeout') return `伺服器太久沒有回應。${safe}請再試一次。`
  return `連不到伺服器。${safe}請再試一次。`
}
