// The receivers of very many deliveries, in a thread of their own: whoever sends to them waits for nobody else's work. A program
// (webhook), a push service with its devices, and LINE.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { decrypt, type Receiver } from './web-push.ts'

export type ManyChannel = 'webhook' | 'push' | 'line'

/** What was taken: over which channel, to whose address, how often, when first. */
export interface Taken {
  channel: ManyChannel
  uid: string
  times: number
  at: string
  /** The messages that it came in; who looks at their ids knows the same one again. */
  ids: string[]
}
/** A device says that it showed a message. */
export interface Shown {
  readonly uid: string
  readonly delivery_id: string
}
/** By the id of the message where it names one, and by each signal that its words name. */
export interface AllTaken {
  readonly messages: ReadonlyMap<string, Taken>
  readonly signals: ReadonlyMap<string, Taken>
}
export interface Sink {
  readonly url: string
  /** Devices of these people take pushes from now on; gives what the server needs of each. */
  devices(keys: ReadonlyMap<string, Receiver>): void
  /** What devices have shown since the last question. */
  shown(): readonly Shown[]
  /** Ends it; gives what it took. */
  close(): Promise<AllTaken>
  /** Ends it, however far it is. */
  end(): void
}

type Said = { kind: 'url'; url: string } | { kind: 'shown'; one: Shown } | { kind: 'taken'; all: AllTaken }
type Told = { kind: 'devices'; keys: ReadonlyMap<string, Receiver> } | { kind: 'end' }

/**
 * `/well/<uid>` and `/push/<uid>` take what does not fail, `/gone/…` answers 410, and LINE takes each retry key once; `faults` is the
 * share that fails, `shows` the share of pushes that a device says it showed.
 */
export async function startSink(faults: number, shows: number): Promise<Sink> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { faults, shows } })
  worker.on('error', (error) => {
    throw error
  })
  const shown: Shown[] = []
  const heard = <K extends Said['kind']>(kind: K) =>
    new Promise<Extract<Said, { kind: K }>>((resolve) => {
      const listen = (said: Said) => {
        if (said.kind !== kind) return
        worker.off('message', listen)
        resolve(said as Extract<Said, { kind: K }>)
      }
      worker.on('message', listen)
    })
  worker.on('message', (said: Said) => {
    if (said.kind === 'shown') shown.push(said.one)
  })
  const tell = (told: Told) => worker.postMessage(told)
  const { url } = await heard('url')
  return {
    url,
    devices: (keys) => tell({ kind: 'devices', keys }),
    shown: () => shown.splice(0),
    async close() {
      const taken = heard('taken')
      tell({ kind: 'end' })
      return (await taken).all
    },
    end: () => void worker.terminate(),
  }
}

/** Each signal of the run has a price of its own, so the words say which it is. */
const pricesIn = (text: string): number[] =>
  [...text.matchAll(/@ (\d{1,3}(?:,\d{3})+)/g)].map(([, price = '']) => Number(price.replaceAll(',', '')))
export const nameOf = (channel: ManyChannel, uid: string, price: number) => `${channel} ${uid} ${price}`

function serve(faults: number, shows: number): void {
  const messages = new Map<string, Taken>()
  const signals = new Map<string, Taken>()
  let devices: ReadonlyMap<string, Receiver> = new Map()
  const hanging = new Set<ServerResponse>()
  const say = (said: Said) => parentPort?.postMessage(said)
  const count = (all: Map<string, Taken>, name: string, channel: ManyChannel, uid: string, id: string) => {
    const known = all.get(name)
    if (!known) return void all.set(name, { channel, uid, times: 1, at: new Date().toISOString(), ids: [id] })
    known.times++
    if (!known.ids.includes(id)) known.ids.push(id)
  }
  const takes = (channel: ManyChannel, uid: string, id: string, text: string) => {
    count(messages, `${channel} ${id}`, channel, uid, id)
    for (const price of new Set(pricesIn(text))) count(signals, nameOf(channel, uid, price), channel, uid, id)
  }
  const line = (request: IncomingMessage, response: ServerResponse, body: Buffer) => {
    if (request.method === 'GET')
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ type: 'none', totalUsage: 0 }))
    if (Math.random() < faults) return fail(request.socket, response, hanging, false)
    const key = String(request.headers['x-line-retry-key'])
    // LINE itself has it already, and shows it once.
    if (messages.has(`line ${key}`)) return void response.writeHead(409).end('{}')
    const { to, messages: said } = JSON.parse(body.toString()) as { to: string; messages: { text: string }[] }
    takes('line', to, key, said.map(({ text }) => text).join('\n'))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }
  const push = (uid: string, request: IncomingMessage, response: ServerResponse, body: Buffer) => {
    if (Math.random() < faults) return fail(request.socket, response, hanging, true)
    const device = devices.get(uid)
    if (!device) return void response.writeHead(404).end()
    const { private_key, keys } = device
    const text = decrypt(body, { private_key: Buffer.from(private_key), keys })
    const { notification, lingbo } = JSON.parse(text) as {
      notification: { title: string; body: string }
      lingbo: { uid: string; delivery_id: string }
    }
    takes('push', lingbo.uid, lingbo.delivery_id, `${notification.title}\n${notification.body}`)
    if (lingbo.uid === uid && Math.random() < shows)
      say({ kind: 'shown', one: { uid, delivery_id: lingbo.delivery_id } })
    response.writeHead(201).end()
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts)
      const [, kind = '', uid = ''] = (request.url ?? '').split('/')
      if (kind === 'gone') return void response.writeHead(410).end()
      if (kind === 'v2') return line(request, response, body)
      if (kind === 'push') return push(uid, request, response, body)
      if (Math.random() < faults) return fail(request.socket, response, hanging, true)
      const { data } = JSON.parse(body.toString()) as { data?: { price?: number } }
      const id = String(request.headers['webhook-id'])
      count(messages, `webhook ${id}`, 'webhook', uid, id)
      if (data?.price) count(signals, nameOf('webhook', uid, data.price), 'webhook', uid, id)
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1', () =>
    say({ kind: 'url', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
  )
  parentPort?.on('message', (told: Told) => {
    if (told.kind === 'devices') {
      devices = told.keys
      return
    }
    for (const response of hanging) response.destroy()
    server.close(() => {
      say({ kind: 'taken', all: { messages, signals } })
      parentPort?.close()
    })
    server.closeAllConnections()
  })
}

/** Not taken, in one of five ways; hardly ever by never answering, which costs whole seconds. LINE's 429 is for everybody at once. */
function fail(
  socket: { destroy(): unknown },
  response: ServerResponse,
  hanging: Set<ServerResponse>,
  slows: boolean,
): void {
  const way = Math.random()
  if (way < 0.35 && slows) response.writeHead(429, { 'retry-after': '0' }).end()
  else if (way < 0.6) response.writeHead(500).end()
  else if (way < 0.8) response.writeHead(503).end()
  else if (way < 0.999) socket.destroy()
  else hanging.add(response)
}

if (!isMainThread && parentPort) {
  const { faults, shows } = workerData as { faults: number; shows: number }
  serve(faults, shows)
}
