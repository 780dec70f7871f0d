// What a failed call says on a screen: what happened, what is safe meanwhile, what to do.
import { ApiError } from '#contract/errors.ts'
import { NetworkError } from '#data/failure.ts'
import type { FormRefusal } from '#ui/use-form.ts'

/** Messages by field of a refusal; a taken name (4090) belongs to the name. Null when no field is to blame. */
export function refusedFields(error: unknown): Record<string, string> | null {
  if (!(error instanceof ApiError)) return null
  if (error.code === 4090) return { name: error.text }
  return error.code === 4220 && error.details.fields ? error.details.fields : null
}

/**
 * Whole sentences about a call that failed, with their full stops; `safe` says what is kept meanwhile (`紀錄都還在，`: ends with
 * a comma, or is empty). Where words end without one, at a field or as a part of a line, `failureText` of #text gives them.
 */
export function failureSentence(error: unknown, safe = ''): string {
  if (error instanceof ApiError) return closed(Object.values(error.details.fields ?? {})[0] ?? error.text)
  if (!(error instanceof NetworkError)) return `發生問題，${safe}請再試一次。`
  if (error.kind === 'offline') return `${OFFLINE}${safe}連線後再試一次。`
  if (error.kind === 'timeout') return `伺服器太久沒有回應。${safe}請再試一次。`
  if (error.kind === 'parsing')
    return `收到的不是凌波的回應。${safe}請檢查網路，例如公共 Wi-Fi 是否需要登入。`
  return `連不到伺服器。${safe}請再試一次。`
}

const OFFLINE = '目前離線。'
/** Whether such sentences were about a device without a network: true for no longer than that. */
export const saysOffline = (sentences: string): boolean => sentences.includes(OFFLINE)

const closed = (text: string) => (/[。？！]$/.test(text) ? text : `${text}。`)

/** What a form with the fields `at` shows of a refusal: messages there, or one sentence when none of them is to blame. */
export function refusal(error: unknown, safe: string, at: readonly string[]): FormRefusal {
  const fields = refusedFields(error) ?? {}
  return at.some((name) => fields[name]) ? { fields } : { fields, text: failureSentence(error, safe) }
}

/** The refusal's code, or null when no answer came. */
export function codeOf(error: unknown): number | null {
  return error instanceof ApiError ? error.code : null
}

/** True when there is no such thing, or none that this person may see. */
export function notFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}
