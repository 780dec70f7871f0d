// Reads the pieces of a line: code, links, pictures, emphasis. Every sign is looked at a fixed number of times, whatever is written.
import { endOfBare, readTarget, safeHref } from './address.ts'
import { addText, type EmphasisMark, emphasise } from './emphasis.ts'
import { type Inline, plain } from './tree.ts'

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
