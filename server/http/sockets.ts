// Connections are a stock that one address must not empty: a share for all, a part of it for each, and silent ones make room first.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from 'node:net'
import { type SenderNetwork, senders } from '../limits/network.ts'
import { isTrustedAddress } from './address.ts'

/** The rest of the open files is for the database, images and mail. */
const SHARE = 0.8
const ADDRESS_SHARE = 0.25
/** Where the system does not say how many files may be open. */
const USUAL_FILES = 1_024
/** «unlimited» is no number to fill. */
const MOST_FILES = 1_048_576

export interface Room {
  open_files: number
  /** Connections in all, and from one subscriber: an address, a /64 (wider networks: network.ts). */
  connections: number
  per_address: number
}

/** How many connections this process takes. */
export function roomOf(connections_per_address: number | null, open_files = openFiles()): Room {
  const connections = Math.floor(open_files * SHARE)
  const per_address = connections_per_address ?? Math.max(1, Math.floor(connections * ADDRESS_SHARE))
  return { open_files, connections, per_address: Math.min(per_address, connections) }
}

function openFiles(): number {
  try {
    const soft = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return Math.min(soft === 'unlimited' ? MOST_FILES : Number(soft) || USUAL_FILES, MOST_FILES)
  } catch {
    // Not Linux.
    return USUAL_FILES
  }
}

interface Caller {
  readonly from: readonly SenderNetwork[]
  /** A proxy speaks for many: it has no part of its own. */
  readonly trusted: boolean
  running: number
}

/** Keeps the server's connections within the room; call it before the server listens. */
export function guardSockets(http: Server, room: Room, trusted_proxies: readonly string[]): void {
  const callers = new Map<Socket, Caller>()
  /** Oldest first: those that have not finished a request yet, and those that have nothing running. */
  const silent = new Set<Socket>()
  const idle = new Set<Socket>()
  const by_network = new Map<string, Set<Socket>>()

  function forget(socket: Socket): void {
    const caller = callers.get(socket)
    if (!caller) return
    callers.delete(socket)
    silent.delete(socket)
    idle.delete(socket)
    for (const { key } of caller.from) {
      const own = by_network.get(key)
      own?.delete(socket)
      if (own?.size === 0) by_network.delete(key)
    }
  }
  function end(socket: Socket): void {
    // At once out of the count, though it closes a moment later.
    forget(socket)
    socket.destroy()
  }
  /** Ends the one that is missed least; false when all of them are at work. */
  function makeRoom(among: Iterable<Socket> | null): boolean {
    const found =
      among === null ? (first(silent) ?? first(idle)) : (firstIn(among, silent) ?? firstIn(among, idle))
    if (found) end(found)
    return found !== undefined
  }

  http.on('connection', (socket: Socket) => {
    const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
    const caller = { from: senders(address), trusted: isTrustedAddress(trusted_proxies, address), running: 0 }
    const crowded = ({ key, holds }: SenderNetwork) => {
      const own = by_network.get(key) ?? new Set()
      return own.size >= Math.floor(room.per_address * holds) && !makeRoom(own)
    }
    if (!caller.trusted && caller.from.some(crowded)) return void socket.destroy()
    if (callers.size >= room.connections && !makeRoom(null)) return void socket.destroy()
    callers.set(socket, caller)
    silent.add(socket)
    for (const { key } of caller.from) by_network.set(key, (by_network.get(key) ?? new Set()).add(socket))
    socket.once('close', () => forget(socket))
  })
  http.prependListener('request', ({ socket }, answer) => {
    const caller = callers.get(socket)
    if (!caller) return
    caller.running++
    silent.delete(socket)
    idle.delete(socket)
    answer.once('close', () => {
      caller.running--
      if (caller.running === 0 && callers.has(socket)) idle.add(socket)
    })
  })
}

function first(sockets: Set<Socket>): Socket | undefined {
  return sockets.values().next().value
}

function firstIn(sockets: Iterable<Socket>, of: Set<Socket>): Socket | undefined {
  for (const socket of sockets) if (of.has(socket)) return socket
  return undefined
}

// What Node refuses before it is a request (nonsense, headers too long, too slow), and what it answers by itself. These answers have
// the form of ours: a short plain text, an end to the connection, and HSTS where people come by https.

const STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Answers for Node; `hsts` as in secure.ts, when there is any. Call it before the server listens. */
export function answerUnread(http: Server, hsts: string | undefined): void {
  http.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const { _httpMessage: under_way } = socket as Socket & { _httpMessage?: ServerResponse }
    // A second head in the middle of an answer would be read as a part of it.
    if (!socket.writable || under_way?.headersSent) return void socket.destroy()
    const status = STATUS[error.code ?? ''] ?? 400
    const lines = Object.entries(headersOf(status, hsts)).map(([name, value]) => `${name}: ${value}\r\n`)
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`
    socket.end(head + textOf(status), () => socket.destroy())
  })
  http.on('checkExpectation', (_incoming: IncomingMessage, outgoing: ServerResponse) => {
    outgoing.writeHead(417, headersOf(417, hsts)).end(textOf(417))
  })
}

function headersOf(status: number, hsts: string | undefined): Record<string, string> {
  return {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(textOf(status))),
    connection: 'close',
    ...(hsts !== undefined && { 'strict-transport-security': hsts }),
  }
}

function textOf(status: number): string {
  return `${status} ${STATUS_CODES[status]}\n`
}

// An answer that is given before its question has ended, 413 above all: closing over what is still being sent resets the connection,
// and the sender never reads what it was told. So what still comes is read and dropped for a while (docs/decisions/limits.md).

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

// One port, several listening sockets: the loop takes one new connection a turn from each, so that whoever comes behind a crowd of
// connections on a slow machine does not wait for as many turns as the crowd is large (docs/decisions/limits.md).

const DOORS = 8

export interface Doors {
  readonly address: AddressInfo
  /** Takes no more connections; resolves when those there are have ended. */
  close(): Promise<void>
}

/** Listens for `http`. Fails as listening fails: EADDRINUSE also for a port that another server shares with itself. */
export async function openDoors(
  http: Server,
  { host, port }: { readonly host: string; readonly port: number },
  doors = DOORS,
): Promise<Doors> {
  // The sockets share the port with each other, so they would share it with another server, too: it has to be nobody's first.
  const held = port === 0 || doors === 1 ? null : await holdPort(host, port)
  const open: NetServer[] = []
  try {
    const shared = doors > 1 && (await listen(http, { host, port, reusePort: true }))
    // A system without the word for it has one door.
    if (!shared) await listen(http, { host, port })
    open.push(http)
    const address = http.address() as AddressInfo
    for (let n = 1; shared && n < doors; n++) {
      const door = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
        http.emit('connection', socket),
      )
      await listen(door, { host: address.address, port: address.port, reusePort: true })
      open.push(door)
    }
    return {
      address,
      async close() {
        await Promise.all(open.map(ended))
        await held?.()
      },
    }
  } catch (error) {
    await Promise.all(open.map(ended))
    await held?.()
    throw error
  }
}

/**
 * Makes sure that nobody listens there, and that no other server begins to in this moment: a name that only one can have (Linux).
 * Gives what lets go of the name.
 */
async function holdPort(host: string, port: number): Promise<(() => Promise<void>) | null> {
  const named = process.platform === 'linux' ? createServer() : null
  if (named) await listen(named, { path: `\0lingbo ${host} ${port}` })
  try {
    const alone = createServer()
    await listen(alone, { host, port })
    await ended(alone)
    return named && (() => ended(named))
  } catch (error) {
    if (named) await ended(named)
    throw error
  }
}

interface Where {
  readonly host?: string
  readonly port?: number
  readonly path?: string
  readonly reusePort?: boolean
}

/** False when this system cannot share a port. */
async function listen(server: NetServer, where: Where): Promise<boolean> {
  try {
    server.listen(where)
    await once(server, 'listening')
    return true
  } catch (error) {
    if (where.reusePort && (error as NodeJS.ErrnoException).code === 'ENOTSUP') return false
    throw error
  }
}

function ended(server: NetServer): Promise<void> {
  return new Promise((done) => server.close(() => done()))
}
