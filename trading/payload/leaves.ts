// The leaves of a message, each at the path a mapping names it by: keys of JSON and pairs, cells of a line as #1, #2 … (wire §5).
import { decode } from './decode.ts'
import { isPrivate } from './fields.ts'
import { cut } from './text.ts'

export interface Leaf {
  path: string
  value: string
}

/** More of them is no message that anybody would map by hand. */
const MOST = 200

/** The leaves of a body in its own order, private ones left out; none when nothing can be told apart in it. */
export function leavesOf(body: string): Leaf[] {
  const text = body.replace(/^\uFEFF/, '').trim()
  if (text === '') return []
  const decoded = decode(text, body)
  if (decoded.kind === 'fields' && decoded.tree) return walk(decoded.tree)
  if (decoded.kind === 'fields' && (decoded.shape === 'pairs' || decoded.shape === 'sentence'))
    return [...decoded.fields].slice(0, MOST).map(([path, value]) => leaf(path, value))
  if (decoded.kind === 'bad') return []
  return cellsOf(text).map((value, i) => leaf(`#${i + 1}`, value))
}

/** The cells of the first line: by tab or comma where it has them, else by blanks. */
export function cellsOf(text: string): string[] {
  const line = text.split(/\r?\n/, 1)[0] as string
  const cells = line.includes('\t')
    ? line.split('\t')
    : line.includes(',')
      ? line.split(',')
      : line.split(/\s+/)
  return cells.slice(0, MOST).map((cell) => cell.trim())
}

function walk(tree: Record<string, unknown>): Leaf[] {
  const found: Leaf[] = []
  const into = (node: object, head: string) => {
    for (const [key, value] of Object.entries(node)) {
      if (found.length >= MOST) return
      if (!Array.isArray(node) && isPrivate(key)) continue
      const path = head === '' ? key : `${head}.${key}`
      if (typeof value === 'object' && value !== null) into(value as object, path)
      else found.push(leaf(path, value))
    }
  }
  into(tree, '')
  return found
}

function leaf(path: string, value: unknown): Leaf {
  return { path, value: cut(value === null || value === undefined ? '' : String(value), 200) }
}
