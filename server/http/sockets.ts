// Connections are a stock that one address must not empty: a share for all, a part of it for each, and silent ones make room first.
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
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
