// What every format gives: the leaves of one message, or why there is none.
import type { Leaf } from '../leaf.ts'
import type { ReadReason } from '../shape.ts'

/** `line`: its time is when it happened, not when a bar began. */
export type Shape = 'json' | 'pairs' | 'sentence' | 'line' | 'csv' | 'words'

export interface Message {
  kind: 'message'
  shape: Shape
  leaves: Leaf[]
  secret: string | null
  /** The body as it may be stored: without private fields. */
  clean: string
}

export interface UnreadMessage {
  kind: 'unread'
  code: ReadReason
  field: string | null
  reason: string
}

/** One format: tries to read a trimmed text; null = it is not written in this format. `body` is the text as it came; `loose`: a person looks at it before it counts. */
export interface Format {
  id: string
  read(text: string, body: string, loose?: boolean): Message | UnreadMessage | null
}

/** A message that is not to be read, with its reason. */
export function unread(code: ReadReason, reason: string, field: string | null = null): UnreadMessage {
  return { kind: 'unread', code, field, reason }
}

export const SEVERAL = '一則訊息只能有一筆委託：請一筆送一則（橋接程式一行送一次，快訊拆成兩個）'
