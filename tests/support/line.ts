// The line between a browser and the server, with a switch for every path: passed on, broken off in the middle, or dead.
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UNHURRIED } from './port.ts'

/** Where a path leads: to the server at this address, nowhere, or to half of its answer. */
export type Lead = { to: string } | { half: string } | 'dead'

export interface Line {
  url: string
  /** From now on. */
  lead(lead: (path: string) => Lead): void
  close(): Promise<void>
}

export async function startLine(first: (path: string) => Lead): Promise<Line> {
  let lead = first
  const http = createServer(UNHURRIED, (asked, answer) => {
    const path = asked.url ?? '/'
    const where = lead(path)
    if (where === 'dead') return void asked.socket.destroy()
    const half = 'half' in where
    const server = new URL(half ? where.half : where.to)
    const headers = { ...asked.headers, host: server.host }
    // what is compressed has no middle worth breaking off at
    if (half) delete headers['accept-encoding']
    if (headers.origin) headers.origin = server.origin
    const passed = request(new URL(path, server), { method: asked.method, headers }, (told) => {
      answer.writeHead(told.statusCode ?? 502, told.headers)
      if (!half) return void told.pipe(answer)
      told.once('data', (chunk: Buffer) => {
        answer.write(chunk.subarray(0, Math.ceil(chunk.length / 2)), () => asked.socket.destroy())
        told.destroy()
      })
    })
    passed.on('error', () => asked.socket.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    lead(next) {
      lead = next
    },
    close: () =>
      new Promise<void>((closed) => {
        http.close(() => closed())
        http.closeAllConnections()
      }),
  }
}
