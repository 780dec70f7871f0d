// A network between server and PostgreSQL that fails as told: cut, silent, refusing, or closed right after a COMMIT went through.
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { freePort } from '#tests/support/server.ts'

export interface Network {
  /** The same database, through here. */
  url: string
  /** Ends all connections; new ones are refused until `restore`. */
  cut(): Promise<void>
  /** Swallows every byte in both directions, connections stay open, until `restore`. */
  silence(): void
  restore(): Promise<void>
  /** Lets the next COMMIT reach the database and ends the connection before its answer comes back; resolves when it happened. */
  cutAfterCommit(): Promise<void>
  /** Connections that were opened so far. */
  opened(): number
  close(): Promise<void>
}

/** Stands in front of the PostgreSQL of `database_url`. */
export async function startProxy(database_url: string): Promise<Network> {
  const behind = new URL(database_url)
  const port = await freePort()
  const pairs = new Set<Socket>()
  let silent = false
  let opened = 0
  let committed: (() => void) | null = null
  let server: Server | null = null

  function join(front: Socket): void {
    opened++
    const back = createConnection({ host: behind.hostname, port: Number(behind.port) })
    let deaf = false
    const end = () => {
      for (const socket of [front, back]) {
        socket.destroy()
        pairs.delete(socket)
      }
    }
    for (const socket of [front, back]) {
      pairs.add(socket)
      socket.on('error', end).on('close', end)
    }
    front.on('data', (bytes) => {
      if (silent) return
      back.write(bytes)
      if (committed && /^Q....commit\0$/s.test(bytes.toString('latin1'))) {
        deaf = true
        const happened = committed
        committed = null
        // The database has written its answer when this side hears it.
        back.once('data', () => {
          end()
          happened()
        })
      }
    })
    back.on('data', (bytes) => {
      if (!silent && !deaf) front.write(bytes)
    })
  }
  async function listen(): Promise<void> {
    const made = createServer(join)
    server = made
    await new Promise<void>((ready) => made.listen(port, '127.0.0.1', ready))
  }
  function endAll(): void {
    for (const socket of pairs) socket.destroy()
    pairs.clear()
  }
  async function cut(): Promise<void> {
    const was = server
    server = null
    const closed = new Promise<void>((done) => (was ? was.close(() => done()) : done()))
    endAll()
    await closed
  }
  await listen()
  const url = new URL(database_url)
  url.port = String(port)
  return {
    url: url.href,
    cut,
    silence() {
      silent = true
    },
    async restore() {
      silent = false
      if (server === null) await listen()
    },
    cutAfterCommit: () =>
      new Promise((resolve) => {
        committed = resolve
      }),
    opened: () => opened,
    close: cut,
  }
}
