// Cookies of a request. They never sign anybody in: they only bind a step to the browser that began it.

/** One cookie of a Cookie header, else null. */
export function readCookie(header: string, name: string): string | null {
  for (const part of header.split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return null
}
