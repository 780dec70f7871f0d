// The stream's cursor: the database's epoch and the last number of every scope, opaque to whoever carries it.
import type { Scope } from '#contract/events.ts'

/** Scope → last number that was sent. */
export type Cursor = Map<Scope, number>

/** Stands beside the scopes; no scope begins so. */
const EPOCH = 'epoch'

/** base64url of {epoch, scope: number}. */
export function writeCursor(cursor: Cursor, epoch: string): string {
  return Buffer.from(JSON.stringify({ [EPOCH]: epoch, ...Object.fromEntries(cursor) })).toString('base64url')
}

/**
 * The cursor in a Last-Event-ID. Null when it is none of ours, or speaks of another past of this database: its numbers mean
 * nothing here (then the stream starts at now, after a reset). One without an epoch was given before there were any.
 */
export function readCursor(text: string, epoch: string): Cursor | null {
  if (!/^[\w-]{2,8000}$/.test(text)) return null
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    const cursor: Cursor = new Map()
    for (const [scope, seq] of Object.entries(value)) {
      if (scope === EPOCH) {
        if (seq !== epoch) return null
        continue
      }
      if (!/^[po]:/.test(scope) || !Number.isSafeInteger(seq) || seq < 0) return null
      cursor.set(scope as Scope, seq)
    }
    return cursor
  } catch {
    // Not JSON: somebody else's id.
    return null
  }
}
