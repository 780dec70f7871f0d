// A server that takes connections and never answers looks like one that is slow, until it does not answer the smallest question either.
// Asked only when somebody waits for a call, or comes back to the page: a healthy line has no more to carry (docs/decisions/outbox.md).
import type { Clock } from '../clock.ts'
import type { ConnectionState } from './connection.ts'

/** A call that waits so long is worth the question. */
const SLOW_MS = 4_000
/** So long the answer to it may take. */
const ANSWER_MS = 4_000
/** The question is given up as a call is; its answer, however late, still counts. */
const GIVEN_UP_MS = 20_000

export interface DoubtPorts {
  readonly base_url: string
  readonly clock: Clock
  online(): boolean
  visible(): boolean
  on_change(listener: () => void): () => void
  /** When anything of the stream came last, null when nothing did. */
  heard_at(): number | null
  state(): ConnectionState | null
  /** Said beside the stream, which may still be standing; and taken back. */
  set(state: 'online' | 'reconnecting'): void
}

export interface Doubt {
  /** Somebody waits for this answer. */
  waits(answer: Promise<unknown>): void
  /** The server has just said something. */
  heard(): void
  /** The stream itself says how it is: what was doubted is over. Gives what it says. */
  settled(state: ConnectionState): ConnectionState
  stop(): void
}

export function createDoubt(ports: DoubtPorts): Doubt {
  const { clock, heard_at } = ports
  const stopped = new AbortController()
  let doubted = false
  let asking = false
  let answered_at = Number.NEGATIVE_INFINITY
  const quietFor = () => clock.now() - Math.max(heard_at() ?? Number.NEGATIVE_INFINITY, answered_at)

  function silent(): void {
    if (ports.state() !== 'online') return
    doubted = true
    ports.set('reconnecting')
  }
  function heard(): void {
    answered_at = clock.now()
    if (!doubted || stopped.signal.aborted) return
    doubted = false
    ports.set('online')
  }
  async function ask(): Promise<void> {
    if (asking || stopped.signal.aborted || quietFor() < SLOW_MS) return
    asking = true
    const given_up = new AbortController()
    const end = () => given_up.abort()
    stopped.signal.addEventListener('abort', end)
    const cancels = [clock.after(ANSWER_MS, silent), clock.after(GIVEN_UP_MS, end)]
    try {
      const signal = given_up.signal
      await fetch(`${ports.base_url}/healthz`, { signal, cache: 'no-store', credentials: 'omit' })
      heard()
    } catch {
      // Refused, cut off or given up: the stream finds out what it is, and says so.
    } finally {
      asking = false
      stopped.signal.removeEventListener('abort', end)
      for (const cancel of cancels) cancel()
    }
  }
  const stopLooking = ports.on_change(() => {
    if (ports.visible() && ports.online()) void ask()
  })
  return {
    waits(answer) {
      let cancel = () => {}
      // what was heard meanwhile speaks for the server as it was then: the same silence from there on is worth the question
      const look = (ms: number) => {
        cancel = clock.after(ms, () => {
          const left = SLOW_MS - quietFor()
          if (left > 0) look(Math.min(left, SLOW_MS))
          else void ask()
        })
      }
      look(SLOW_MS)
      answer.then(
        () => {
          cancel()
          heard()
        },
        () => cancel(),
      )
    },
    heard,
    settled(state) {
      doubted = false
      return state
    },
    stop() {
      stopLooking()
      stopped.abort()
    },
  }
}
