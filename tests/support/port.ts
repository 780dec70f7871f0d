// A free port that no other process of tests is given: each worker has a range of its own, below those the kernel hands out, and what
// it has given stays its own until it ends, also while nothing listens there (a server that is killed and started again).
import { createServer } from 'node:net'

const FIRST = 11_000
const PER_WORKER = 2_000
const WORKERS = 9

const worker = Number(process.env['VITEST_POOL_ID'] ?? process.env['TEST_PARALLEL_INDEX'] ?? 8) % WORKERS
// Files run one after the other in one worker: the next does not begin where the last one has just let go.
let next = process.pid % PER_WORKER

/**
 * For every server inside a test's own process. Where that process stands still for longer than a connection may be idle (five
 * seconds, unless told), both ends find out at once that it is over, and a call may go out on it just before: ECONNRESET.
 */
export const UNHURRIED = { keepAliveTimeout: 900_000 } as const

/** A port on 127.0.0.1 that nothing listens on; a server that gives it back may take it again. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PER_WORKER; tried++) {
    next = (next + 1) % PER_WORKER
    const port = FIRST + worker * PER_WORKER + next
    if ((await isOurs(port)) && (await isFree(port))) return port
  }
  throw new Error('no free port')
}

/**
 * Two runs beside each other (unit tests, and what kills) have workers of the same numbers. A name that the kernel keeps for as long
 * as this process lives says whose a port is; elsewhere than on Linux there is none, and the ranges have to do.
 */
function isOurs(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return Promise.resolve(true)
  return new Promise((resolve) => {
    const mark = createServer()
      .unref()
      .once('error', () => resolve(false))
    mark.listen(`\0lingbo-test-port-${port}`, () => resolve(true))
  })
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
