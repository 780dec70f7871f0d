// What came back from a call, no more than there is room for.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

export interface OutgoingAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** False when more would have come than is read, or when it broke off: the status stands all the same. */
  readonly whole: boolean
  /** From the first question to the last byte. */
  readonly milliseconds: number
}

const ROOM = 64 * 1024

/** Reads an answer. Its status has been said already, so nothing that happens to the rest makes the call a failed one. */
export function read(response: IncomingMessage, began: number): Promise<OutgoingAnswer> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve) => {
    const done = (whole: boolean) =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: Buffer.concat(chunks).subarray(0, ROOM).toString('utf8'),
        whole,
        milliseconds: Math.round(performance.now() - began),
      })
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size <= ROOM) return
      done(false)
      response.destroy()
    })
    response.once('end', () => done(true))
    response.once('error', () => done(false))
    response.once('close', () => done(false))
  })
}
