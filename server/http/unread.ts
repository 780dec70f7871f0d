// What Node refuses before it is a request (nonsense, headers too long, too slow), and what it answers by itself. These answers have
// the form of ours: a short plain text, an end to the connection, and HSTS where people come by https.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

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
