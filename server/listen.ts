// Opens the port and closes it again without losing what is being worked on.
import { createServer, type Server as HttpServer } from 'node:http'
import { sql } from 'kysely'
import { createApp, type Overrides, type Server } from './app.ts'
import type { Config } from './config.ts'
import { secureHeaders } from './http/secure.ts'
import { answerUnread, type Doors, guardSockets, openDoors, roomOf } from './http/sockets.ts'

const LIMITS = {
  /** A whole request within this, its headers within that: a slow sender holds no socket for long. */
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  // We refuse that ourselves, in our own form.
  requireHostHeader: false,
}

export interface Listening {
  readonly server: Server
  /** Where this process listens (behind a proxy people come by `config.public_url`). */
  readonly url: string
  /** Stops accepting, finishes what runs within `config.drain_ms`, closes everything. */
  stop(): Promise<void>
}

/** Starts the server of this configuration. */
export async function listen(config: Config, overrides: Overrides = {}): Promise<Listening> {
  const server = await createApp(config, overrides)
  const http = createServer(LIMITS, server.listener)
  const room = roomOf(config.connections_per_address)
  guardSockets(http, room, config.trusted_proxies)
  answerUnread(http, secureHeaders(config.public_url)['strict-transport-security'])
  server.app.log.info(room, 'room for connections')
  let doors: Doors
  try {
    doors = await openDoors(http, config)
  } catch (error) {
    await server.close()
    throw refusedAt(config, error as NodeJS.ErrnoException)
  }
  // The first page is not to wait for the thread that reads it. Whether it can is told to whoever asks.
  void warmed(server).catch(() => undefined)
  const { address, port, family } = doors.address
  let stopped: Promise<void> | undefined
  return {
    server,
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    stop: () => {
      stopped ??= stop(http, doors, server, config.drain_ms)
      return stopped
    },
  }
}

async function warmed({ app }: Server): Promise<void> {
  await sql`select 1`.execute(await app.reads.of('server'))
}

async function stop(http: HttpServer, doors: Doors, server: Server, drain_ms: number): Promise<void> {
  const closed = doors.close()
  // Keep-alive connections would come back with new requests: each answer now ends its connection.
  http.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  await server.drain()
  const late = setTimeout(() => http.closeAllConnections(), drain_ms)
  const idle = setInterval(() => http.closeIdleConnections(), 100)
  await closed
  clearTimeout(late)
  clearInterval(idle)
  await server.close()
}

/** Why the port cannot be had, in one sentence. */
function refusedAt({ host, port }: Config, error: NodeJS.ErrnoException): Error {
  const text =
    error.code === 'EADDRINUSE'
      ? `連接埠 ${port} 已被占用，請用 PORT 指定別的，例如 PORT=8788 npm start`
      : error.code === 'EACCES'
        ? `沒有權限使用連接埠 ${port}，請用 PORT 指定 1024 以上的`
        : `無法在 ${host}:${port} 啟動（${error.code ?? error.message}）`
  return new Error(text, { cause: error })
}
