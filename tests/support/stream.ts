// Reads the event stream like a browser: by fetch, with a cursor, over and over.
import { createParser } from 'eventsource-parser'
import type { AppEvent } from '#contract/events.ts'
import type { Reachable } from './people.ts'

export interface Reader {
  readonly status: number
  readonly headers: Headers
  readonly events: AppEvent[]
  readonly comments: string[]
  /** The last id that was sent. */
  cursor(): string
  /** True when the server ended the stream. */
  ended(): boolean
  /** Waits until so many events are there, or the stream has ended (or a minute is over). */
  until(count: number): Promise<AppEvent[]>
  close(): Promise<void>
}

/** Opens the stream and waits for the first cursor. */
export async function openStream(
  server: Reachable,
  token: string,
  cursor?: string,
  headers: Record<string, string> = {},
): Promise<Reader> {
  const stop = new AbortController()
  const answer = await server.request('/api/v1/events', {
    headers: {
      authorization: `Bearer ${token}`,
      ...(cursor !== undefined && { 'last-event-id': cursor }),
      ...headers,
    },
    signal: stop.signal,
  })
  const events: AppEvent[] = []
  const comments: string[] = []
  let last = ''
  let ended = false
  const parser = createParser({
    onEvent: (event) => events.push(JSON.parse(event.data) as AppEvent),
    onComment: (comment) => comments.push(comment),
    onId: (id) => {
      last = id
    },
  })
  async function read(): Promise<void> {
    const decoder = new TextDecoder()
    try {
      for await (const chunk of answer.body ?? [])
        parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }))
    } catch {
      // Cut off, by us or by the server.
    }
    ended = true
  }
  const reading = answer.ok ? read() : Promise.resolve()
  const wait = async (done: () => boolean) => {
    for (let i = 0; i < 6_000 && !done() && !ended; i++) await new Promise((next) => setTimeout(next, 10))
  }
  if (answer.ok) await wait(() => last !== '')
  return {
    status: answer.status,
    headers: answer.headers,
    events,
    comments,
    cursor: () => last,
    ended: () => ended,
    async until(count) {
      await wait(() => events.length >= count)
      return events
    },
    async close() {
      stop.abort()
      await reading
    },
  }
}
