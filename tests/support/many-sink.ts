// The receivers of very many deliveries, in a thread of their own: whoever sends to them waits for nobody else's work.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** What was taken of one webhook-id: whose address it came to, how often, when first. */
export interface Taken {
  uid: string
  times: number
  at: string
}
export interface Sink {
  readonly url: string
  /** Ends it; gives what it took, by webhook-id. */
  close(): Promise<ReadonlyMap<string, Taken>>
  /** Ends it, however far it is. */
  end(): void
}

/** `/well/<uid>` takes what does not fail, `/gone/<uid>` answers 410; `faults` is the share that fails. */
export async function startSink(faults: number): Promise<Sink> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { faults } })
  worker.on('error', (error) => {
    throw error
  })
  const next = <T>() => new Promise<T>((resolve) => worker.once('message', resolve))
  const url = await next<string>()
  return {
    url,
    async close() {
      const taken = next<ReadonlyMap<string, Taken>>()
      worker.postMessage('end')
      return taken
    },
    end: () => void worker.terminate(),
  }
}

function serve(faults: number): void {
  const taken = new Map<string, Taken>()
  const hanging = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const [, kind = '', uid = ''] = (request.url ?? '').split('/')
      if (kind === 'gone') return void response.writeHead(410).end()
      if (Math.random() < faults) return fail(request.socket, response, hanging)
      const id = String(request.headers['webhook-id'])
      const known = taken.get(id)
      if (known) known.times++
      else taken.set(id, { uid, times: 1, at: new Date().toISOString() })
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1', () =>
    parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  )
  parentPort?.once('message', () => {
    for (const response of hanging) response.destroy()
    server.close(() => {
      parentPort?.postMessage(taken)
      parentPort?.close()
    })
    server.closeAllConnections()
  })
}

/** Not taken, in one of five ways; hardly ever by never answering, which costs whole seconds. */
function fail(socket: { destroy(): unknown }, response: ServerResponse, hanging: Set<ServerResponse>): void {
  const way = Math.random()
  if (way < 0.35) response.writeHead(429, { 'retry-after': '0' }).end()
  else if (way < 0.6) response.writeHead(500).end()
  else if (way < 0.8) response.writeHead(503).end()
  else if (way < 0.999) socket.destroy()
  else hanging.add(response)
}

if (!isMainThread && parentPort) serve((workerData as { faults: number }).faults)
