// One event stream by fetch (EventSource cannot send headers): resumes by cursor, notices silence, comes back by itself.
import { createParser } from 'eventsource-parser'
import { isEnvelope, open } from '#contract/endpoint.ts'
import type { ApiError } from '#contract/errors.ts'
import { type AppEvent, eventStream } from '#contract/events.ts'
import {
  BACKOFF_MAX_MS,
  BACKOFF_MS,
  STREAM_ANSWER_MS,
  STREAM_LATE_MS,
  STREAM_SILENCE_MS,
} from '#contract/limits.ts'
import type { Clock } from '../clock.ts'
import type { SessionPort } from '../context.ts'
import { endsSession, NetworkError } from '../failure.ts'
import type { ConnectionState } from './tabs.ts'

/** So many attempts in a row without an answer of the server and the person is told: offline. A refusal is an answer. */
const LOST_AFTER = 3

export interface StreamPorts {
  base_url: string
  session: SessionPort
  clock: Clock
  online(): boolean
  visible(): boolean
  on_change(listener: () => void): () => void
  /** 0 ≤ n < 1, for the jitter. */
  random(): number
  /** Where to go on; null: from now. */
  cursor(): Promise<string | null>
  /** The server listens for us (again) and gave its first cursor: what came before may have been missed. */
  on_open(): void
  on_event(event: AppEvent): void
  /** Opaque; comes before its event, in the same turn. */
  on_cursor(cursor: string): void
  /** Anything at all arrived, also a heartbeat. */
  on_heard(): void
  on_state(state: ConnectionState): void
  on_unauthorized(error: ApiError): void
  report(error: unknown): void
}

/** Wait before attempt `n` (0…): 1 s doubled, at most 30 s, half of it by chance so that tabs and devices spread. */
export function reconnectDelay(n: number, random: number): number {
  return Math.min(BACKOFF_MS * 2 ** n, BACKOFF_MAX_MS) * (0.5 + random / 2)
}

/** Runs until `signal` aborts or the session ends. Never rejects. */
export async function runStream(ports: StreamPorts, signal: AbortSignal): Promise<void> {
  let cursor: string | null = await ports.cursor()
  let failures = 0
  let unheard = 0
  let connection = new AbortController()
  let wake: (() => void) | null = null
  let heard_at = ports.clock.now()
  let was_online = ports.online()

  const changed = () => {
    const online = ports.online()
    // The system may be wrong (a server on this machine needs no network): believe it, but try at once.
    if (was_online && !online) {
      ports.on_state('offline')
      connection.abort()
    }
    const came_back = online && !was_online
    was_online = online
    if (came_back || ports.visible()) wake?.()
    // Timers sleep while the page does: after waking, look at the clock.
    if (ports.clock.now() - heard_at > STREAM_SILENCE_MS) connection.abort()
  }
  const unsubscribe = ports.on_change(changed)
  const stop = () => {
    connection.abort()
    wake?.()
  }
  signal.addEventListener('abort', stop)

  const connect = async (): Promise<'again' | 'stop'> => {
    connection = new AbortController()
    const current = connection
    // Cut at two and a half heartbeats; said from the first that is late, and taken back by whatever comes.
    let silent = true
    const late = () => {
      silent = true
      ports.on_state('reconnecting')
    }
    const heard = () => {
      heard_at = ports.clock.now()
      cancelWatch()
      if (silent) ports.on_state('online')
      silent = false
      const cancels = [
        ports.clock.after(STREAM_LATE_MS, late),
        ports.clock.after(STREAM_SILENCE_MS, () => current.abort()),
      ]
      cancelWatch = () => {
        for (const cancel of cancels) cancel()
      }
    }
    let cancelWatch = ports.clock.after(STREAM_ANSWER_MS, () => current.abort())
    const token = ports.session.token()
    if (token === null) return 'stop'
    try {
      const response = await fetch(`${ports.base_url}/api/v1${eventStream.path}`, {
        headers: {
          accept: 'text/event-stream',
          authorization: `Bearer ${token}`,
          ...(cursor !== null && { 'last-event-id': cursor }),
        },
        signal: current.signal,
        cache: 'no-store',
        credentials: 'omit',
      })
      if (
        !response.ok ||
        !response.headers.get('content-type')?.startsWith('text/event-stream') ||
        !response.body
      ) {
        return await refused(response, token)
      }
      let opened = false
      const parser = createParser({
        onId(id) {
          cursor = id
          ports.on_cursor(id)
          // Only now does the server listen for us: asking earlier could miss what comes in between.
          if (!opened) ports.on_open()
          opened = true
        },
        onEvent: ({ data }) => deliver(data),
      })
      heard()
      const decoder = new TextDecoder()
      const reader = response.body.getReader()
      for (;;) {
        const { done, value } = await reader.read()
        if (done || current.signal.aborted || signal.aborted) break
        failures = 0
        unheard = 0
        heard()
        ports.on_heard()
        parser.feed(decoder.decode(value, { stream: true }))
      }
      return 'again'
    } catch {
      return 'again' // cut, refused or aborted: the loop tells the state and tries again
    } finally {
      cancelWatch()
      current.abort()
    }
  }

  const refused = async (response: Response, token: string): Promise<'again' | 'stop'> => {
    const body: unknown = await response.json().catch(() => null) // not ours, e.g. a captive portal's page
    if (isEnvelope(body)) unheard = -1 // the loop counts this attempt
    if (response.status !== 401 || !isEnvelope(body)) return 'again'
    if (ports.session.token() !== token) return 'again'
    try {
      open(body, 401)
    } catch (error) {
      if (!endsSession(error)) return 'again'
      ports.on_unauthorized(error)
    }
    return 'stop'
  }

  const deliver = (data: string) => {
    let event: AppEvent
    try {
      event = JSON.parse(data) as AppEvent
    } catch (cause) {
      ports.report(new NetworkError('parsing', 200, cause))
      return
    }
    try {
      ports.on_event(event)
    } catch (error) {
      ports.report(error) // one event that cannot be applied must not stop the others
    }
  }

  while (!signal.aborted) {
    if ((await connect()) === 'stop' || signal.aborted) break
    failures++
    unheard++
    ports.on_state(!ports.online() || unheard >= LOST_AFTER ? 'offline' : 'reconnecting')
    const delay = reconnectDelay(failures - 1, ports.random())
    await new Promise<void>((resolve) => {
      const cancel = ports.clock.after(delay, () => wake?.())
      wake = () => {
        wake = null
        cancel()
        resolve()
      }
      if (signal.aborted) wake()
    })
  }
  unsubscribe()
  signal.removeEventListener('abort', stop)
}
