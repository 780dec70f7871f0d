// One port, several listening sockets: the loop takes one new connection a turn from each, so that whoever comes behind a crowd of
// connections on a slow machine does not wait for as many turns as the crowd is large (docs/decisions/078).
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net'

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
