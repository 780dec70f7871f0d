// What is asked of one of the demonstration's receivers, and what it replies.
import type { IncomingHttpHeaders } from 'node:http'

export interface DemoRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
  /** Whoever asked has gone. */
  readonly left: AbortSignal
}
export interface DemoReply {
  readonly status: number
  readonly body: unknown
}
