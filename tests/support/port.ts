// A free port that no other worker of the tests will be given: each has a range of its own, below those the kernel hands out.
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
    if (await isFree(port)) return port
  }
  throw new Error('no free port')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
