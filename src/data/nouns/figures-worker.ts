// Starts the worker that folds, when first asked, and lets it go when nobody has asked for a while.
import type { FiguresQuestion } from './figures.ts'
import type { Answered, Asked, Ways } from './figures.worker.ts'

const IDLE_MS = 30_000

interface Waiting {
  resolve(found: unknown): void
  reject(error: Error): void
}

const waiting = new Map<number, Waiting>()
let worker: Worker | null = null
let idle: ReturnType<typeof setTimeout> | undefined
let count = 0

/** What the way gives of the question, computed beside the page. Rejects when the worker cannot start or the records cannot be folded. */
export function figuresInWorker<Way extends keyof Ways>(
  way: Way,
  question: FiguresQuestion,
): Promise<ReturnType<Ways[Way]>> {
  clearTimeout(idle)
  worker ??= start()
  const n = ++count
  const answer = new Promise<unknown>((resolve, reject) => waiting.set(n, { resolve, reject }))
  worker.postMessage({ n, way, question } satisfies Asked)
  // a way gives what it says
  return answer as Promise<ReturnType<Ways[Way]>>
}

function start(): Worker {
  const started = new Worker(new URL('./figures.worker.ts', import.meta.url), { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<Answered>) => {
    const asked = waiting.get(data.n)
    waiting.delete(data.n)
    if ('found' in data) asked?.resolve(data.found)
    else asked?.reject(new Error(data.failed))
    if (waiting.size === 0) idle = setTimeout(stop, IDLE_MS)
  })
  started.addEventListener('error', (event) => {
    for (const { reject } of waiting.values()) reject(new Error(event.message || 'the worker did not start'))
    waiting.clear()
    stop()
  })
  return started
}

function stop(): void {
  worker?.terminate()
  worker = null
}
