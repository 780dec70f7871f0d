// Reads a Markdown text into its tree (docs/decisions/screens.md). Time grows with the length of the text, and nothing of the text is lost.
import { type IsImage, parseInline } from './inline.ts'
import { alignsOf, cellsOf, fenceOf, headingOf, indentOf, isBlank, isRule, itemOf, outdent } from './lines.ts'
import type { MarkdownBlock } from './tree.ts'

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
    if (isBlank(lines[at] as string)) at++
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
    if (isBlank(line)) {
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
  while (next < lines.length && !isBlank(lines[next] as string) && !startsBlock(lines, next, depth)) next++
  const text = lines.slice(at, next).map((line) => line.trim())
  return [{ kind: 'paragraph', inside: parseInline(text.join('\n'), isImage) }, next]
}
