// Which words of spec §8 stand for a failed sign-in or registration.
import { ApiError } from '#contract/errors.ts'
import { NetworkError } from '#data/failure.ts'
import { LOGIN, REGISTER } from '#text/spec.ts'

/** True when no answer of ours came (offline, unreachable, timeout, a captive portal). */
export function isNetwork(error: unknown): boolean {
  return error instanceof NetworkError
}

/**
 * Something answered, and it was not our server in its own words: a proxy's page, its 403, a 500. The network is fine, so the
 * specification's words about it would send people the wrong way. Null: nothing answered.
 */
function foreign(error: unknown): string | null {
  if (!(error instanceof NetworkError) || error.status === null) return null
  const { status } = error
  if (status >= 500) return `伺服器出了問題（${status}），不是帳號或密碼的錯，請過一會再試`
  if (status >= 400) return `連線被中途的設備擋下（${status}），回答的不是凌波，請換一個網路或問網路的管理員`
  return '回答的不是凌波，可能是公共 Wi-Fi 的登入頁，請先登入那個網路，或換一個網路'
}

/** Title and text of the toast; the text also stands under the form. */
export function loginRefusal(error: unknown): { title: string; text: string } {
  const text = foreign(error)
  if (text !== null) return { title: LOGIN.failed, text }
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
  const text = foreign(error)
  if (text !== null) return { title: REGISTER.failed, text, fields: {} }
  if (isNetwork(error)) return { title: LOGIN.network.title, text: REGISTER.network, fields: {} }
  if (!(error instanceof ApiError)) return { title: REGISTER.failed, text: REGISTER.default, fields: {} }
  const fields = error.details.fields ?? {}
  return { title: REGISTER.failed, text: error.code === 4220 ? REGISTER.default : error.text, fields }
}
