// The demonstration's receivers on one port of this machine: where Telegram, LINE, Discord and a program of one's own would be.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DemoReply, DemoRequest } from './ask.ts'
import { demoLine } from './line.ts'
import { demoDiscord, demoRobot } from './plain.ts'
import { demoTelegram } from './telegram.ts'
import { Tray } from './tray.ts'

export interface Stand {
  readonly tray: Tray
  readonly url: string
  close(): Promise<void>
}

const MOST_BYTES = 256 * 1024

/** Opens it on `port`, or on any where that is taken. */
export async function openStand(
  port: number,
  line: { readonly secret: string; readonly app_url: string },
): Promise<Stand> {
  const tray = new Tray()
  const places: Record<string, (ask: DemoRequest) => Promise<DemoReply>> = {
    telegram: demoTelegram(tray),
    line: demoLine(tray, line),
    discord: demoDiscord(tray),
    robot: demoRobot(tray),
  }
  const http = createServer((request, response) => {
    const chunks: Buffer[] = []
    let size = 0
    const ends = new AbortController()
    response.once('close', () => ends.abort())
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MOST_BYTES) request.destroy()
      else chunks.push(chunk)
    })
    request.once('end', () => {
      const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://stand')
      const body = read(Buffer.concat(chunks).toString('utf8'), searchParams)
      const place = places[path.split('/')[1] ?? '']
      const ask = { method: request.method ?? '', path, headers: request.headers, body, left: ends.signal }
      const answered = place ? place(ask) : Promise.resolve({ status: 404, body: null })
      answered.then(
        (reply) => {
          response.writeHead(reply.status, { 'content-type': 'application/json; charset=utf-8' })
          response.end(reply.body === null ? undefined : JSON.stringify(reply.body))
        },
        () => response.writeHead(500).end(),
      )
    })
  })
  const listens = (at: number) =>
    new Promise<void>((ready, fail) => {
      http.once('error', fail)
      http.listen(at, '127.0.0.1', ready)
    })
  await listens(port).catch(() => listens(0))
  return {
    tray,
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    close: () =>
      new Promise((closed) => {
        http.close(() => closed())
        http.closeAllConnections()
      }),
  }
}

/** JSON, a form, or nothing: what came as a form or in the address is read as its fields. */
function read(text: string, query: URLSearchParams): unknown {
  if (text === '') return Object.fromEntries(query)
  try {
    return JSON.parse(text)
  } catch {
    return Object.fromEntries(new URLSearchParams(text))
  }
}
