// Where to go after signing in: only a path of this origin, however it was disguised. The server asks the same before it sends anybody away.

/** Pages that make no sense as a destination: they would lead straight back. */
const NEVER = /^\/(login|403|sso|token-login)(?=[/?#]|$)/

/** The parts of a URL that are judged; both sides hand in their own `new URL`. */
interface UrlParts {
  readonly origin: string
  readonly username: string
  readonly pathname: string
  readonly search: string
  readonly hash: string
}

/**
 * The path with query and hash when `value` names a page of this application, else null.
 * Refused: other origins, schemes, `//host`, backslashes, control characters, encoded slashes at the start, user info, `..` tricks, over 2,000 characters.
 * `parse` resolves an address against an origin and throws for what is none.
 */
export function judgeReturnTo(
  value: string | null | undefined,
  parse: (value: string, base: string) => UrlParts,
): string | null {
  if (!value || value.length > 2_000) return null
  // one slash first, then no slash and no backslash, also not encoded; browsers strip tabs and line breaks, so none may hide in it
  if (!/^\/(?![/\\]|%2f|%5c)/i.test(value) || hasHidden(value)) return null
  let url: UrlParts
  try {
    url = parse(value, ORIGIN)
  } catch {
    return null // not even a URL
  }
  const path = url.pathname + url.search + url.hash
  if (url.origin !== ORIGIN || url.username !== '' || !/^\/(?![/\\]|%2f|%5c)/i.test(path)) return null
  if (NEVER.test(url.pathname.toLowerCase()) || /^\/(api|hooks|oidc|files|assets)(\/|$)/i.test(url.pathname))
    return null
  return path
}

/** A stand-in origin: the answer depends on the value alone. */
const ORIGIN = 'https://app.invalid'

/** Control characters, white space, backslashes (also encoded) and lone surrogates before the query. */
function hasHidden(value: string): boolean {
  if (!value.isWellFormed()) return true
  for (const char of value) {
    const code = char.codePointAt(0) as number
    if (code <= 0x20 || (code >= 0x7f && code <= 0xa0) || char === '\\' || /\s|\p{Cf}/u.test(char))
      return true
  }
  return /%(0[0-9a-f]|1[0-9a-f]|7f|5c)/i.test(value.split(/[?#]/, 1)[0] as string)
}
