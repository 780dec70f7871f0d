// The other side of the alarm bench, in threads of its own: browsers behind a push service, and senders of messages.
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { type PushSubscriptionJson, startPushService } from '#tests/support/push-service.ts'
import { Sender } from './wire.ts'

export interface Arrived {
  readonly endpoint: string
  /** Of its record; null where several came as one. */
  readonly signal_id: string | null
  /** Milliseconds since 1970. */
  readonly at: number
}
interface Flood {
  readonly role: 'flood'
  readonly port: number
  readonly paths: readonly string[]
  readonly seconds: number
}

const start = (data: Flood | { role: 'push' }) => {
  const worker = new Worker(new URL(import.meta.url), { workerData: data })
  worker.on('error', (error) => {
    throw error
  })
  const next = <T>() => new Promise<T>((resolve) => worker.once('message', resolve))
  return { worker, next }
}

export interface Browsers {
  subscribe(sender: string): Promise<PushSubscriptionJson>
  /** What came so far. */
  arrived(): Promise<Arrived[]>
  end(): void
}

export function openBrowsers(): Browsers {
  const { worker, next } = start({ role: 'push' })
  const ask = async <T>(question: unknown): Promise<T> => {
    const answer = next<T>()
    worker.postMessage(question)
    return answer
  }
  return {
    subscribe: (sender) => ask({ sender }),
    arrived: () => ask('arrived'),
    end: () => void worker.terminate(),
  }
}

/** One sender for each path, as fast as they are answered; gives messages a second. */
export function flood(port: number, paths: readonly string[], seconds: number): Promise<number> {
  return start({ role: 'flood', port, paths, seconds }).next()
}

/** A message of its own millisecond that opens or closes. */
export function messageNo(n: number): string {
  return `{"id":"${n}","symbol":"MXF1!","action":"${n % 2 === 0 ? 'buy' : 'sell'}","contracts":"1","price":"${46_000 + (n % 400)}"}`
}

async function servePushes(): Promise<void> {
  const service = await startPushService()
  parentPort?.on('message', (question: 'arrived' | { sender: string }) => {
    if (question !== 'arrived') return parentPort?.postMessage(service.subscribe(question.sender))
    const arrived = service.messages.map(({ endpoint, text, at }): Arrived => {
      const { lingbo } = JSON.parse(text) as { lingbo: { record: { id: string } | null } }
      return { endpoint, signal_id: lingbo.record?.id ?? null, at }
    })
    parentPort?.postMessage(arrived)
  })
}

async function sendAll({ port, paths, seconds }: Flood): Promise<void> {
  const began = performance.now()
  const until = began + seconds * 1_000
  let stored = 0
  await Promise.all(
    paths.map(async (path) => {
      const sender = new Sender('127.0.0.1', port)
      for (let n = 0; performance.now() < until; n++) {
        const { status, body } = await sender.post(path, messageNo(n))
        if (status !== 200) throw new Error(`${status} ${body}`)
        stored++
      }
      sender.close()
    }),
  )
  parentPort?.postMessage(stored / ((performance.now() - began) / 1_000))
}

const data = workerData as Flood | { role: 'push' } | null
if (data?.role === 'push') await servePushes()
if (data?.role === 'flood') await sendAll(data)
