// The stream's cursor: the last number of every scope, opaque to whoever carries it.
import type { Scope } from '#contract/events.ts'

/** Scope → last number that was sent. */
export type Cursor = Map<Scope, number>

/** base64url of {scope: number}. */
export function writeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(Object.fromEntries(cursor))).toString('base64url')
}

/** The cursor in a Last-Event-ID; null when it is none of ours (then the stream starts at now, after a reset). */
export function readCursor(text: string): Cursor | null {
  if (!/^[\w-]{2,8000}$/.test(text)) return null
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    const cursor: Cursor = new Map()
    for (const [scope, seq] of Object.entries(value)) {
      if (!/^[po]:/.test(scope) || !Number.isSafeInteger(seq) || seq < 0) return null
      cursor.set(scope as Scope, seq)
    }
    return cursor
  } catch {
    // Not JSON: somebody else's id.
    return null
  }
}
