// Finding and repairing the JSON in a message, character by character: no pattern that could backtrack.

/** Deeper nesting than this is refused before JSON.parse sees it. */
export const MAX_DEPTH = 32
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

/** Deepest nesting of brackets outside strings (either quote). */
export function depthOf(text: string): number {
  let [depth, deepest] = [0, 0]
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (c === '"') i = stringEnd(text, i)
    else if (c === '{' || c === '[') deepest = Math.max(deepest, ++depth)
    else if (c === '}' || c === ']') depth--
  }
  return deepest
}

/** The first balanced {…} and what stands around it; null when there is none. */
export function firstBlock(text: string): { block: string; before: string; after: string } | null {
  const from = text.indexOf('{')
  if (from < 0) return null
  let depth = 0
  for (let i = from; i < text.length; i++) {
    const c = text[i]
    if (c === '"') i = stringEnd(text, i)
    else if (c === '{') depth++
    else if (c === '}' && --depth === 0)
      return { block: text.slice(from, i + 1), before: text.slice(0, from), after: text.slice(i + 1) }
  }
  return null
}

/** A Python dict as JSON text: single-quoted strings, True, False, None. */
export function dictToJson(text: string): string {
  let out = ''
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string
    if (c === '"' || c === "'") {
      const end = stringEnd(text, i)
      const inner = text.slice(i + 1, end)
      out += c === '"' ? `"${inner}"` : JSON.stringify(inner.replaceAll("\\'", "'"))
      i = end
      continue
    }
    const word = ['True', 'False', 'None'].find((w) => text.startsWith(w, i))
    if (word) {
      out += word === 'None' ? 'null' : word.toLowerCase()
      i += word.length - 1
    } else out += c
  }
  return out
}

/** Parsed JSON, undefined when it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON is an ordinary answer here: the next way of reading is tried.
    return undefined
  }
}

/** Whether a key that could reach a prototype stands anywhere in a parsed value (depth is already bounded). */
export function hasForbiddenKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(hasForbiddenKey)
  return Object.entries(value).some(([key, inner]) => FORBIDDEN.has(key) || hasForbiddenKey(inner))
}

/** Index of the closing quote of the string that opens at `from`; the text's end when it never closes. */
function stringEnd(text: string, from: number): number {
  const quote = text[from]
  for (let i = from + 1; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === quote) return i
  }
  return text.length
}
