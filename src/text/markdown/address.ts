// Addresses in a Markdown text: where one ends, and which a link may lead to.

const LEADS_TO = new Set(['http:', 'https:', 'mailto:'])

/** The address of a link as the browser will take it; null for every other kind, for half ones, and for those with a name before the host. */
export function safeHref(address: string): string | null {
  if (!URL.canParse(address)) return null
  const { protocol, username, password, href } = new URL(address)
  return LEADS_TO.has(protocol) && username === '' && password === '' ? href : null
}

/** What reads as an address of its own, a host with a dot: read with its path, so that a file's name there is no host. */
const READS_AS_ADDRESS =
  /(?:https?:\/\/)?(?:[^\s@/]{1,64}@)?((?:[\p{L}\p{N}-]{1,63}\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+))(?![\p{L}\p{N}])(?::\d+)?(?:[/?#]\S*)?/giu

/** Where a link really goes, when its words read as another address: its host, or whom a letter is to; else null. */
export function elsewhere(words: string, href: string): string | null {
  const { protocol, host, pathname } = new URL(href)
  const to = protocol === 'mailto:' ? decodeURIComponent(pathname) : host
  const bare = (name: string) => name.toLowerCase().replace(/^www\./, '')
  const goes = bare(to.slice(to.lastIndexOf('@') + 1).replace(/:\d+$/, ''))
  // longer ones name nothing that anybody reads: they are not searched
  if (words.length > 1_000) return to
  const said = words.normalize('NFKC').matchAll(READS_AS_ADDRESS)
  const other = [...said].some(([, name = '']) => {
    const address = `http://${name}`
    return bare(URL.canParse(address) ? new URL(address).hostname : name) !== goes
  })
  return other ? to : null
}

/** Ends an address that stands bare in a text: Chinese around it needs no spaces. */
const isStop = (code: number): boolean =>
  code <= 32 || code > 126 || '<>"`[]{}|\\^'.includes(String.fromCharCode(code))

/** Where a bare address that begins at `from` ends; what is likelier the sentence's stays outside. */
export function endOfBare(text: string, from: number): number {
  let end = from
  let open = 0
  while (end < text.length && !isStop(text.charCodeAt(end))) {
    if (text[end] === '(') open++
    if (text[end] === ')') open--
    end++
  }
  for (; end > from; end--) {
    const last = text[end - 1] as string
    if (last === ')' && open < 0) open++
    else if (!".,;:!?'*_~".includes(last)) break
  }
  return end
}

/** What stands between the brackets after a label, `(address "title")`; `from` is behind the first one. Null when it is none. */
export function readTarget(text: string, from: number): { address: string; end: number } | null {
  let at = from
  for (let open = 0; at < text.length; at++) {
    const sign = text[at] as string
    if (sign === '(') open++
    else if (sign === ')' && open-- === 0) break
    else if (sign === ' ') break
    // never further than the next bracket: a text of a thousand beginnings is read once
    else if (sign === '\n' || sign === '\t' || sign === '[' || sign === ']' || sign === '<') return null
  }
  const address = text.slice(from, at)
  at = skipSpaces(text, at)
  const quote = text[at]
  if (quote === '"' || quote === "'") {
    for (at++; at < text.length && text[at] !== quote; at++)
      if ('\n[]'.includes(text[at] as string)) return null
    at = skipSpaces(text, at + 1)
  }
  return text[at] === ')' && address !== '' ? { address, end: at + 1 } : null
}

function skipSpaces(text: string, from: number): number {
  let at = from
  while (text[at] === ' ') at++
  return at
}
