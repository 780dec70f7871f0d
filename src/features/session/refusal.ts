// Which words of spec §8 stand for a failed sign-in or registration.
import { ApiError } from '#contract/errors.ts'
import { LOGIN, REGISTER } from '#text/spec.ts'

/** True when no answer came at all (offline, unreachable, timeout, a captive portal). */
export function isNetwork(error: unknown): boolean {
  return error instanceof Error && error.name === 'NetworkError'
}

/** Title and text of the toast; the text also stands under the form. */
export function loginRefusal(error: unknown): { title: string; text: string } {
  if (isNetwork(error)) return { title: LOGIN.network.title, text: LOGIN.network.text }
  if (error instanceof ApiError) {
    if (error.code === 6002) return { title: LOGIN.failed, text: LOGIN.wrong }
    // what the server said itself, not what stands in our table for its code
    return { title: LOGIN.failed, text: error.details.text || error.details.msg || LOGIN.failed }
  }
  if (error instanceof Error && error.message === LOGIN.bad_token)
    return { title: LOGIN.failed, text: error.message }
  return { title: LOGIN.failed, text: LOGIN.default }
}

/** The same for a registration, with the server's word on single fields. */
export function registerRefusal(error: unknown): {
  title: string
  text: string
  fields: Record<string, string>
} {
  if (isNetwork(error)) return { title: LOGIN.network.title, text: REGISTER.network, fields: {} }
  if (!(error instanceof ApiError)) return { title: REGISTER.failed, text: REGISTER.default, fields: {} }
  const fields = error.details.fields ?? {}
  return { title: REGISTER.failed, text: error.code === 4220 ? REGISTER.default : error.text, fields }
}
