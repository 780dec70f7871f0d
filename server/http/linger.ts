// An answer that is given before its question has ended, 413 above all: closing over what is still being sent resets the connection,
// and the sender never reads what it was told. So what still comes is read and dropped for a while (docs/decisions/081).
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** More than any photograph that somebody takes by mistake; dropping costs no memory. */
const MOST_BYTES = 16 * 1024 * 1024
/** From the answer on. */
export const LINGER_MS = 5_000
const LOOK_MS = 50
/** What is announced as shorter fits into the buffers of the system: nothing of it is still on its way. */
const SHORT_BYTES = 64 * 1024

const closing = new WeakSet<Socket>()

/** Makes sure that the answer to this request is read, should its connection be closed before the request has ended. */
export function lingerAfter(incoming: IncomingMessage): void {
  const { socket, headers } = incoming
  const announced = Number(headers['content-length'] ?? 0)
  if (announced <= SHORT_BYTES && headers['transfer-encoding'] === undefined) return
  // Node and the router close a connection by this.
  const atOnce = socket.destroySoon
  socket.destroySoon = () => {
    if (closing.has(socket)) return
    if (incoming.complete || socket.destroyed) atOnce.call(socket)
    else dropTheRest(incoming, socket)
  }
  incoming.once('close', () => {
    if (!closing.has(socket)) socket.destroySoon = atOnce
  })
}

/** Sends the end of the answer, then waits for that of the question: for so many bytes, and so long. */
function dropTheRest(incoming: IncomingMessage, socket: Socket): void {
  closing.add(socket)
  const before = socket.bytesRead
  const end = () => socket.destroy()
  const timer = setTimeout(end, LINGER_MS)
  const look = setInterval(() => {
    if (incoming.complete || socket.bytesRead - before > MOST_BYTES) end()
  }, LOOK_MS)
  socket.once('close', () => {
    clearTimeout(timer)
    clearInterval(look)
  })
  incoming.once('end', end)
  socket.end()
  // Whoever read it has stopped, and would hold it up.
  incoming.removeAllListeners('readable')
  incoming.removeAllListeners('data')
  incoming.resume()
}
