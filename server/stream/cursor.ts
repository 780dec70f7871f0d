// The stream's cursor: the last number of every scope and in which past of the database they were given, opaque to whoever carries it.
import type { Scope } from '#contract/events.ts'

/** Scope → last number that was sent. */
export type Cursor = Map<Scope, number>

/** What somebody came back with; `epoch` is null in one that was given before there were any. */
export interface Given {
  readonly epoch: string | null
  readonly cursor: Cursor
}

/** Stands beside the scopes; no scope begins so. */
const EPOCH = 'epoch'

/** base64url of {epoch, scope: number}. */
export function writeCursor(cursor: Cursor, epoch: string): string {
  return Buffer.from(JSON.stringify({ [EPOCH]: epoch, ...Object.fromEntries(cursor) })).toString('base64url')
}

/** The cursor in a Last-Event-ID; null when it is none of ours (then the stream starts at now, after a reset). */
export function readCursor(text: string): Given | null {
  if (!/^[\w-]{2,8000}$/.test(text)) return null
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    const { [EPOCH]: epoch = null, ...scopes } = value as Record<string, unknown>
    if (epoch !== null && typeof epoch !== 'string') return null
    const cursor: Cursor = new Map()
    for (const [scope, seq] of Object.entries(scopes)) {
      if (!/^[po]:/.test(scope) || !Number.isSafeInteger(seq) || (seq as number) < 0) return null
      cursor.set(scope as Scope, seq as number)
    }
    return { epoch, cursor }
  } catch {
    // Not JSON: somebody else's id.
    return null
  }
}
