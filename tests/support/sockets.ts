// Connections from addresses of one's own choosing (127.0.0.x): silent ones that only stay, and calls that say something.
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'

export interface Silent {
  /** How many the server has not turned away: who had to go only because their time for a request was over counts as there. */
  open(): number
  close(): void
}

/** Opens so many connections that say nothing, one after the other; resolves when each is open or refused. */
export async function openSilent(url: string, from: (n: number) => string, count: number): Promise<Silent> {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  const late = new Set<Socket>()
  for (let n = 0; n < count; n++) {
    const socket = connect({ host: hostname, port: Number(port), localAddress: from(n) })
    sockets.push(socket)
    socket.on('data', (chunk) => {
      if (chunk.includes(' 408 ')) late.add(socket)
    })
    await new Promise<void>((next) => {
      socket.once('connect', () => next()).once('close', () => next())
      // Being cut off is what is looked for.
      socket.on('error', () => next())
    })
  }
  return {
    open: () =>
      sockets.filter((socket) => late.has(socket) || (!socket.destroyed && socket.readyState === 'open'))
        .length,
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

export interface Said {
  status: number
  body: string
}

/** One call on a connection of its own from an address; rejects when the connection is cut or says nothing for `within_ms`. */
export function callFrom(
  from: string,
  url: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
  within_ms = 60_000,
): Promise<Said> {
  const { method = 'GET', headers = {}, body } = init
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers, localAddress: from, agent: new Agent() }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text }))
    })
    call.setTimeout(within_ms, () => call.destroy(new Error(`no answer within ${within_ms} ms`)))
    call.on('error', reject)
    call.end(body)
  })
}
