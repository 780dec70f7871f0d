// What a Markdown text is read into: blocks, and in them pieces of a line. Nothing in it is markup of the page.

export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'em' | 'strike'; readonly inside: readonly Inline[] }
  /** `href` is absolute: http, https or mailto. */
  | { readonly kind: 'link'; readonly href: string; readonly inside: readonly Inline[] }
  /** `address` is one that the reader was told to take as a picture. */
  | { readonly kind: 'image'; readonly address: string; readonly alt: string }
  | { readonly kind: 'break' }

export type Align = 'left' | 'center' | 'right' | null

export type MarkdownBlock =
  | { readonly kind: 'paragraph'; readonly inside: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly inside: readonly Inline[] }
  | { readonly kind: 'quote'; readonly inside: readonly MarkdownBlock[] }
  | {
      readonly kind: 'list'
      /** The first number; null for bullets. */
      readonly start: number | null
      readonly items: readonly (readonly MarkdownBlock[])[]
    }
  | { readonly kind: 'code'; readonly info: string; readonly text: string }
  | {
      readonly kind: 'table'
      readonly align: readonly Align[]
      readonly head: readonly (readonly Inline[])[]
      readonly rows: readonly (readonly (readonly Inline[])[])[]
    }
  | { readonly kind: 'rule' }

/** The words of a piece of a line, without what they look like. */
export function plain(inside: readonly Inline[]): string {
  return inside
    .map((one) => {
      if ('text' in one) return one.text
      if (one.kind === 'break') return ' '
      return one.kind === 'image' ? one.alt : plain(one.inside)
    })
    .join('')
}

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

// Stars, underscores and tildes: which of them belong together. The stack never holds more than the five marks there are.

/** A run of one sign that may begin or end an emphasis. */
export interface EmphasisMark {
  readonly kind: 'mark'
  readonly sign: string
  readonly count: number
  readonly opens: boolean
  readonly closes: boolean
}
interface Open {
  readonly mark: string
  readonly inside: Inline[]
}

const MEANS: Record<string, 'strong' | 'em' | 'strike'> = {
  '**': 'strong',
  __: 'strong',
  '*': 'em',
  _: 'em',
  '~~': 'strike',
}

/** Adds text, to the text before it where there is one. */
export function addText(to: Inline[], text: string): void {
  const last = to.at(-1)
  if (last?.kind === 'text') to[to.length - 1] = { kind: 'text', text: last.text + text }
  else if (text !== '') to.push({ kind: 'text', text })
}

function addAll(to: Inline[], all: readonly Inline[]): void {
  for (const one of all)
    if (one.kind === 'text') addText(to, one.text)
    else to.push(one)
}

/** Marks that have no partner are the signs they are. */
export function emphasise(pieces: readonly (Inline | EmphasisMark)[]): Inline[] {
  const root: Inline[] = []
  const stack: Open[] = []
  const top = () => stack.at(-1)?.inside ?? root
  /** It was no beginning: its sign and all behind it go to what it stands in. */
  const literal = (at: number) => {
    const [open] = stack.splice(at, 1) as [Open]
    const below = stack[at - 1]?.inside ?? root
    addText(below, open.mark)
    addAll(below, open.inside)
  }
  const close = (at: number) => {
    while (stack.length > at + 1) literal(stack.length - 1)
    const { mark, inside } = stack.pop() as Open
    top().push({ kind: MEANS[mark] as 'em', inside })
  }
  const begin = (mark: string) => {
    // the later one is the likelier beginning
    const before = stack.findIndex((open) => open.mark === mark)
    if (before >= 0) literal(before)
    stack.push({ mark, inside: [] })
  }
  for (const piece of pieces) {
    if (piece.kind !== 'mark') {
      addAll(top(), [piece])
      continue
    }
    let left = piece.count
    while (left > 0 && piece.closes) {
      const at = stack.findLastIndex(({ mark }) => mark[0] === piece.sign && mark.length <= left)
      if (at < 0) break
      left -= (stack[at] as Open).mark.length
      close(at)
    }
    if (!piece.opens) addText(top(), piece.sign.repeat(left))
    else if (left > 0) {
      if (left > 1) begin(piece.sign.repeat(2))
      if (left !== 2) begin(piece.sign)
    }
  }
  while (stack.length > 0) literal(stack.length - 1)
  return root
}

// Reads the pieces of a line: code, links, pictures, emphasis. Every sign is looked at a fixed number of times, whatever is written.

/** True for an address that is a picture to be shown; of others only a link is made. */
export type IsImage = (address: string) => boolean

interface Bracket {
  /** Its piece. */
  readonly at: number
  readonly image: boolean
}

const SIGNS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'
const isWord = (sign: string | undefined) => sign !== undefined && /[0-9a-z]/i.test(sign)
const isBlank = (sign: string | undefined) => sign === undefined || sign.trim() === ''

/** Where runs of backticks of each length stand, in their order. */
function runsOf(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>()
  for (let at = text.indexOf('`'); at >= 0; ) {
    let end = at
    while (text[end] === '`') end++
    const same = runs.get(end - at)
    if (same) same.push(at)
    else runs.set(end - at, [at])
    at = text.indexOf('`', end)
  }
  return runs
}

export function parseInline(text: string, isImage: IsImage): Inline[] {
  const pieces: (Inline | EmphasisMark)[] = []
  const brackets: Bracket[] = []
  const runs = runsOf(text)
  const passed = new Map<number, number>()
  let words = ''
  let at = 0
  const flush = () => {
    if (words !== '') pieces.push({ kind: 'text', text: words })
    words = ''
  }
  const put = (piece: Inline | EmphasisMark, end: number) => {
    flush()
    pieces.push(piece)
    at = end
  }
  const say = (end: number) => {
    words += text.slice(at, end)
    at = end
  }
  const lengthOfRun = () => {
    let end = at
    while (text[end] === text[at]) end++
    return end - at
  }

  const code = () => {
    const length = lengthOfRun()
    const same = runs.get(length) ?? []
    let next = passed.get(length) ?? 0
    while (next < same.length && (same[next] as number) <= at) next++
    passed.set(length, next)
    const end = same[next]
    if (end === undefined) return say(at + length)
    const inside = text.slice(at + length, end).replaceAll('\n', ' ')
    put({ kind: 'code', text: inside.trim() === '' ? inside : inside.trim() }, end + length)
  }
  const mark = () => {
    const [sign, count] = [text[at] as string, lengthOfRun()]
    const [before, behind] = [text[at - 1], text[at + count]]
    if (count > 3 || (sign === '~' && count !== 2)) return say(at + count)
    const inWord = sign === '_' && isWord(before) && isWord(behind)
    const opens = !isBlank(behind) && !inWord
    const closes = !isBlank(before) && !inWord
    put({ kind: 'mark', sign, count, opens, closes }, at + count)
  }
  const open = (image: boolean) => {
    flush()
    brackets.push({ at: pieces.length, image })
    put({ kind: 'text', text: image ? '![' : '[' }, at + (image ? 2 : 1))
  }
  const close = () => {
    const bracket = brackets.pop()
    const target = bracket && text[at + 1] === '(' ? readTarget(text, at + 2) : null
    if (!bracket || !target) return say(at + 1)
    const { address, end } = target
    const shown = bracket.image && isImage(address)
    const href = shown ? null : safeHref(address)
    if (!shown && href === null) return say(end)
    flush()
    const inside = unlinked(emphasise(pieces.splice(bracket.at).slice(1)))
    if (href === null) return put({ kind: 'image', address, alt: plain(inside) }, end)
    put({ kind: 'link', href, inside: inside.length > 0 ? inside : [{ kind: 'text', text: address }] }, end)
    // no link stands in a link
    if (!bracket.image) for (let i = brackets.length - 1; i >= 0 && !brackets[i]?.image; i--) brackets.pop()
  }
  const address = (from: number, end: number, behind: number) => {
    const bare = text.slice(from, end)
    const href = safeHref(bare)
    if (href === null) return say(behind)
    put({ kind: 'link', href, inside: [{ kind: 'text', text: bare }] }, behind)
  }
  const beginsAddress = (from: number) =>
    text.startsWith('https://', from) || text.startsWith('http://', from)

  while (at < text.length) {
    const sign = text[at] as string
    const next = text[at + 1]
    if (sign === '\\' && next !== undefined && SIGNS.includes(next)) {
      words += next
      at += 2
    } else if (sign === '\n') put({ kind: 'break' }, at + 1)
    else if (sign === '`') code()
    else if (sign === '*' || sign === '_' || sign === '~') mark()
    else if (sign === '!' && next === '[') open(true)
    else if (sign === '[') open(false)
    else if (sign === ']') close()
    else if (sign === '<' && beginsAddress(at + 1)) {
      const end = endOfBare(text, at + 1)
      if (text[end] === '>') address(at + 1, end, end + 1)
      else say(at + 1)
    } else if (sign === 'h' && beginsAddress(at) && !isWord(text[at - 1])) {
      const end = endOfBare(text, at)
      address(at, end, end)
    } else say(at + 1)
  }
  flush()
  return emphasise(pieces)
}

/** A link's label is words and pictures: addresses in it are no links of their own. */
function unlinked(inside: readonly Inline[]): Inline[] {
  const all: Inline[] = []
  for (const one of inside) {
    if (one.kind === 'text') addText(all, one.text)
    else if (one.kind === 'link') for (const inner of one.inside) all.push(inner)
    else if ('inside' in one) all.push({ ...one, inside: unlinked(one.inside) })
    else all.push(one)
  }
  return all
}

// What a line begins: rule, heading, list item, fence, row of a table.

export const isBlankLine = (line: string): boolean => line.trim() === ''

/** Columns before the first sign; a tab counts four. */
export function indentOf(line: string): number {
  let columns = 0
  for (const sign of line) {
    if (sign === ' ') columns++
    else if (sign === '\t') columns += 4
    else break
  }
  return columns
}

/** The line without its first `columns` columns of nothing. */
export function outdent(line: string, columns: number): string {
  let [at, left] = [0, columns]
  while (left > 0 && (line[at] === ' ' || line[at] === '\t')) left -= line[at++] === ' ' ? 1 : 4
  return line.slice(at)
}

export function isRule(line: string): boolean {
  const signs = line.replaceAll(' ', '').trim()
  const [first] = signs
  return signs.length >= 3 && '-*_'.includes(first as string) && [...signs].every((sign) => sign === first)
}

export function headingOf(line: string): { level: number; text: string } | null {
  const words = line.trim()
  let level = 0
  while (words[level] === '#') level++
  if (level < 1 || level > 6 || (words[level] !== ' ' && words.length > level)) return null
  return { level, text: words.slice(level).trim() }
}

export interface ListItem {
  /** The number; null for a bullet. */
  readonly start: number | null
  readonly indent: number
  /** Columns before its text. */
  readonly width: number
  readonly text: string
}

export function itemOf(line: string): ListItem | null {
  const indent = indentOf(line)
  const words = line.trimStart()
  const [, number, mark = ''] = /^(?:(\d{1,9})[.)]|([-*+]))(?=\s|$)/.exec(words) ?? []
  if (number === undefined && mark === '') return null
  const length = number === undefined ? 1 : number.length + 1
  const text = words.slice(length).trimStart()
  return { start: number === undefined ? null : Number(number), indent, width: indent + length + 1, text }
}

export interface Fence {
  readonly sign: string
  readonly length: number
  readonly info: string
}

export function fenceOf(line: string): Fence | null {
  const words = line.trim()
  const [sign = ''] = words
  if (sign !== '`' && sign !== '~') return null
  let length = 0
  while (words[length] === sign) length++
  const info = words.slice(length).trim()
  return length < 3 || (sign === '`' && info.includes('`')) ? null : { sign, length, info }
}

/** The texts between the bars; a bar behind a backslash is a bar. */
export function cellsOf(line: string): string[] {
  const cells: string[] = []
  let cell = ''
  const row = line.trim()
  for (let at = row.startsWith('|') ? 1 : 0; at < row.length; at++) {
    const sign = row[at] as string
    if (sign === '\\' && row[at + 1] === '|') {
      cell += '|'
      at++
    } else if (sign === '|') {
      cells.push(cell.trim())
      cell = ''
    } else cell += sign
  }
  if (cell.trim() !== '') cells.push(cell.trim())
  return cells
}

/** How the columns stand, when this is the line under a table's head. */
export function alignsOf(line: string): Align[] | null {
  if (!line.includes('|') || !line.includes('-')) return null
  const aligns: Align[] = []
  for (const cell of cellsOf(line)) {
    const [left, right] = [cell.startsWith(':'), cell.endsWith(':')]
    const dashes = cell.slice(left ? 1 : 0, right ? -1 : undefined)
    if (dashes === '' || dashes.replaceAll('-', '') !== '') return null
    aligns.push(right ? (left ? 'center' : 'right') : left ? 'left' : null)
  }
  return aligns
}

// Reads a Markdown text into its tree (docs/decisions/screens.md). Time grows with the length of the text, and nothing of the text is lost.

/** Deeper lists and quotes are read as text. */
const DEEPEST = 6

/** A block, and the line behind it. */
type Read = readonly [block: MarkdownBlock, next: number]

/** `isImage` says which addresses are pictures to be shown. */
export function parseMarkdown(text: string, isImage: IsImage = () => false): MarkdownBlock[] {
  return blocksOf(text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n'), 0, isImage)
}

function blocksOf(lines: readonly string[], depth: number, isImage: IsImage): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  for (let at = 0; at < lines.length; ) {
    if (isBlankLine(lines[at] as string)) at++
    else {
      const [block, next] = blockAt(lines, at, depth, isImage)
      blocks.push(block)
      at = next
    }
  }
  return blocks
}

function blockAt(lines: readonly string[], at: number, depth: number, isImage: IsImage): Read {
  const line = lines[at] as string
  if (isRule(line)) return [{ kind: 'rule' }, at + 1]
  const heading = headingOf(line)
  if (heading)
    return [{ kind: 'heading', level: heading.level, inside: parseInline(heading.text, isImage) }, at + 1]
  return (
    codeAt(lines, at) ??
    tableAt(lines, at, isImage) ??
    (depth < DEEPEST ? (quoteAt(lines, at, depth, isImage) ?? listAt(lines, at, depth, isImage)) : null) ??
    paragraphAt(lines, at, depth, isImage)
  )
}

function codeAt(lines: readonly string[], at: number): Read | null {
  const fence = fenceOf(lines[at] as string)
  if (!fence) return null
  const indent = indentOf(lines[at] as string)
  const inside: string[] = []
  let next = at + 1
  for (; next < lines.length; next++) {
    const end = fenceOf(lines[next] as string)
    if (end?.info === '' && end.sign === fence.sign && end.length >= fence.length) break
    inside.push(outdent(lines[next] as string, indent))
  }
  return [{ kind: 'code', info: fence.info, text: inside.join('\n') }, next + 1]
}

/** The line and the one below it are the head of a table. */
function headOf(lines: readonly string[], at: number) {
  const [line = '', below = ''] = lines.slice(at, at + 2)
  if (!line.includes('|')) return null
  const align = alignsOf(below)
  const head = align && cellsOf(line)
  return head && head.length === align.length && head.length > 0 ? { align, head } : null
}

function tableAt(lines: readonly string[], at: number, isImage: IsImage): Read | null {
  const found = headOf(lines, at)
  if (!found) return null
  const cells = (all: readonly string[]) => all.map((cell) => parseInline(cell, isImage))
  const rows = []
  let next = at + 2
  for (; next < lines.length && (lines[next] as string).includes('|'); next++)
    rows.push(cells(cellsOf(lines[next] as string)))
  return [{ kind: 'table', align: found.align, head: cells(found.head), rows }, next]
}

function quoteAt(lines: readonly string[], at: number, depth: number, isImage: IsImage): Read | null {
  const inside: string[] = []
  let next = at
  for (; next < lines.length; next++) {
    const words = (lines[next] as string).trimStart()
    if (!words.startsWith('>')) break
    inside.push(words.slice(words[1] === ' ' ? 2 : 1))
  }
  if (next === at) return null
  return [{ kind: 'quote', inside: blocksOf(inside, depth + 1, isImage) }, next]
}

function listAt(lines: readonly string[], at: number, depth: number, isImage: IsImage): Read | null {
  const first = itemOf(lines[at] as string)
  if (!first) return null
  const items: string[][] = []
  let item = first
  let next = at
  for (let blank = false; next < lines.length; next++) {
    const line = lines[next] as string
    if (isBlankLine(line)) {
      blank = true
      continue
    }
    const belongs = next > at && indentOf(line) >= item.indent + 2
    const begins = belongs || isRule(line) ? null : itemOf(line)
    if (begins && (begins.start === null) === (first.start === null)) {
      items.push([begins.text])
      item = begins
    } else {
      if (!belongs && (blank || startsBlock(lines, next, depth))) break
      if (blank) items.at(-1)?.push('')
      items.at(-1)?.push(outdent(line, item.width))
    }
    blank = false
  }
  const inside = items.map((one) => blocksOf(one, depth + 1, isImage))
  return [{ kind: 'list', start: first.start, items: inside }, next]
}

/** Ends a paragraph without an empty line between. A number does only where a list begins to count: sentences begin with years. */
function startsBlock(lines: readonly string[], at: number, depth: number): boolean {
  const line = lines[at] as string
  if (isRule(line) || headingOf(line) || fenceOf(line) || headOf(lines, at)) return true
  if (depth >= DEEPEST) return false
  const item = itemOf(line)
  return line.trimStart().startsWith('>') || (item !== null && item.start !== 0 && (item.start ?? 1) === 1)
}

function paragraphAt(lines: readonly string[], at: number, depth: number, isImage: IsImage): Read {
  let next = at + 1
  while (next < lines.length && !isBlankLine(lines[next] as string) && !startsBlock(lines, next, depth))
    next++
  const text = lines.slice(at, next).map((line) => line.trim())
  return [{ kind: 'paragraph', inside: parseInline(text.join('\n'), isImage) }, next]
}
