// Calls of other services that sign what they send: the proof is over the bytes as they came, so it is checked before anything is read.
import type { Endpoint, ParsedInputOf } from '#contract/endpoint.ts'
import { succeed } from '#contract/envelope.ts'
import { API_BODY_BYTES } from '#contract/limits.ts'
import type { App } from '../context.ts'
import { failure, refusal, respond } from './answer.ts'
import { parseObject, readBytes } from './body.ts'
import { parseInput, type Route } from './handle.ts'

interface Signed<E extends Endpoint> {
  /** Throws unless the sender is who it should be. With the headers alone first, so that a stranger's body is not even read. */
  admit(headers: Headers): void
  /** The same over the whole body, where the signature needs it. */
  prove?(headers: Headers, bytes: Uint8Array): void
  run(input: ParsedInputOf<E>): Promise<void>
}

/** Binds a public endpoint to a handler that answers nothing; a refusal or a fault makes the sender try again. */
export function handleSigned<E extends Endpoint>(
  app: Pick<App, 'log'>,
  endpoint: E,
  { admit, prove, run }: Signed<E>,
): Route {
  if (endpoint.who !== 'public') throw new TypeError(`${endpoint.name} is not public: use handle`)
  return {
    endpoint,
    async fetch(c) {
      try {
        admit(c.req.raw.headers)
        const bytes = await readBytes(c.req.raw, API_BODY_BYTES)
        prove?.(c.req.raw.headers, bytes)
        await run(parseInput(endpoint.input, parseObject(bytes)) as ParsedInputOf<E>)
        return respond({ status: 200, body: JSON.stringify(succeed(null)) }, undefined)
      } catch (error) {
        return respond(refusal(failure(app, error, endpoint.name)), undefined)
      }
    },
  }
}
