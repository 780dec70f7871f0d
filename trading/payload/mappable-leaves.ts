// The leaves of a message, each at the path a mapping names it by: keys of JSON and pairs, cells of a line as #1, #2 … (wire §5).
import { decode } from './decode.ts'
import { cellsOf } from './formats/cells.ts'
import { treeOf } from './formats/json.ts'
import { isPrivate } from './private.ts'
import { cut } from './text.ts'

export interface MappableLeaf {
  path: string
  value: string
}

/** More of them is no message that anybody would map by hand. */
const MOST = 200

/** The leaves of a body in its own order, private ones left out; none when nothing can be told apart in it. */
export function mappableLeaves(body: string): MappableLeaf[] {
  const text = body.replace(/^\uFEFF/, '').trim()
  if (text === '') return []
  const decoded = decode(text, body)
  if (decoded.kind === 'message')
    return decoded.leaves
      .filter(({ path }) => path !== '#outside')
      .slice(0, MOST)
      .map(({ path, value }) => leaf(path, value))
  const tree = treeOf(text)
  if (tree) return walk(tree)
  if (decoded.kind === 'unread') return []
  const [line = ''] = decoded.clean.trim().split(/\r?\n/, 1)
  return cellsOf(line)
    .slice(0, MOST)
    .map((value, i) => leaf(`#${i + 1}`, value))
}

/** What a message that is not read holds all the same. */
function walk(tree: Record<string, unknown>): MappableLeaf[] {
  const found: MappableLeaf[] = []
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

function leaf(path: string, value: unknown): MappableLeaf {
  return { path, value: cut(value === null || value === undefined ? '' : String(value), 200) }
}
