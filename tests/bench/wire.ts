// A sender as thin as it gets: one keep-alive socket, one request at a time, so that the load generator is not what is measured.
import { createConnection, type Socket } from 'node:net'

export interface Answered {
  status: number
  body: string
  /** Seconds of the answer's Retry-After, null without one. */
  retry_after_s: number | null
  /** From the write to the last byte of the answer, milliseconds. */
  ms: number
}

export class Sender {
  readonly #socket: Socket
  readonly #host: string
  #data: Buffer = Buffer.alloc(0)
  #waiting: {
    started: number
    resolve: (answered: Answered) => void
    reject: (error: Error) => void
  } | null = null

  constructor(host: string, port: number) {
    this.#host = `${host}:${port}`
    this.#socket = createConnection({ host, port, noDelay: true })
    this.#socket.on('data', (chunk) => this.#read(chunk))
    this.#socket.on('error', (error) => this.#fail(error))
    this.#socket.on('close', () => this.#fail(new Error('socket closed')))
  }

  /** Posts a body; rejects when the connection ends before the answer. */
  post(path: string, body: string): Promise<Answered> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error('socket closed'))
      this.#waiting = { started: performance.now(), resolve, reject }
      const length = Buffer.byteLength(body)
      this.#socket.write(
        `POST ${path} HTTP/1.1\r\nhost: ${this.#host}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`,
      )
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    this.#data = this.#data.length === 0 ? chunk : Buffer.concat([this.#data, chunk])
    const end = this.#data.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = this.#data.toString('latin1', 0, end)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
    const chunked = /transfer-encoding: chunked/i.test(head)
    const rest = this.#data.length - end - 4
    if (chunked ? !this.#data.subarray(end + 4).includes('0\r\n\r\n') : rest < length) return
    const body = this.#data.toString('utf8', end + 4, chunked ? this.#data.length : end + 4 + length)
    this.#data = Buffer.alloc(0)
    const waiting = this.#waiting
    this.#waiting = null
    const retry = /retry-after: (\d+)/i.exec(head)?.[1]
    waiting?.resolve({
      status: Number(head.slice(9, 12)),
      body,
      retry_after_s: retry === undefined ? null : Number(retry),
      ms: performance.now() - waiting.started,
    })
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error)
    this.#waiting = null
  }
}
