// 5,000 silent connections from one address, opened again as they are cut: readiness, webhooks and a stream of others meanwhile.
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createStrategy } from '#contract/strategy.ts'
import { signUp } from '#tests/support/people.ts'
import { spawnServer } from '#tests/support/server.ts'
import { callFrom } from '#tests/support/sockets.ts'
import { openStream } from '#tests/support/stream.ts'
import { message } from './app.ts'
import { percentile, report, round } from './figures.ts'

const SILENT = Number(process.env['SILENT'] ?? 5_000)
const OPEN_FILES = Number(process.env['OPEN_FILES'] ?? 1_024)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 15)
const AT_ONCE = 50

/** npm run bench -- sockets. The goal: nothing of others is refused, with as many files as a system gives by default. */
export async function sockets(): Promise<void> {
  const data_dir = mkdtempSync(join(tmpdir(), 'lingbo-sockets-'))
  const server = await spawnServer({ data_dir, env: { LOG_LEVEL: 'error' }, open_files: OPEN_FILES })
  const { hostname, port } = new URL(server.url)
  let over = false
  let opened = 0
  let wanted = SILENT
  /** Holds its share of the silent connections, one after the other, until all were opened. */
  const hold = async () => {
    while (!over && wanted-- > 0) {
      const socket = connect({ host: hostname, port: Number(port), localAddress: '127.0.0.66' })
      socket.on('error', () => undefined)
      socket.on('close', () => wanted++)
      await new Promise((next) => socket.once('connect', next).once('close', next))
      opened++
      await sleep(2)
    }
  }
  try {
    const person = await signUp(server, '量測')
    const settings = { product_code: 'MXF' }
    const made = await person.call(createStrategy, { kind: 'futures', name: '量測', settings })
    const hook = `${server.url}${new URL(made.webhooks?.[0]?.url as string).pathname}`
    const reader = await openStream(server, person.token)
    const measure = async (ms: number) => {
      const [ready, hooks]: [number[], number[]] = [[], []]
      let failed = 0
      const timed = async (into: number[], call: Promise<{ status: number }>) => {
        const began = performance.now()
        const answer = await call.catch(() => null)
        if (answer?.status === 200) into.push(performance.now() - began)
        else failed++
      }
      for (const end = performance.now() + ms; performance.now() < end; await sleep(50)) {
        await timed(ready, callFrom('127.0.0.41', `${server.url}/readyz`))
        await timed(hooks, callFrom('127.0.0.42', hook, { method: 'POST', body: message(45_000) }))
      }
      const of = (took: number[]) => ({
        count: took.length,
        p50: round(percentile(took, 0.5)),
        p99: round(percentile(took, 0.99)),
      })
      return { ready: of(ready), hooks: of(hooks), failed }
    }
    const quiet = await measure(3_000)
    const flood = Array.from({ length: AT_ONCE }, async () => {
      while (!over) {
        await hold()
        await sleep(20)
      }
    })
    const flooded = await measure(SECONDS * 1_000)
    over = true
    await Promise.all(flood)
    const sent = quiet.hooks.count + flooded.hooks.count
    await sleep(500)
    const heard = reader.events.filter(({ kind }) => kind === 'signal').length
    const ended = reader.ended()
    await reader.close()
    report(
      'sockets',
      `${SILENT} silent of one address (${opened} opened), ${OPEN_FILES} files: readyz p99 ${flooded.ready.p99} ms (quiet ${quiet.ready.p99}), webhook p99 ${flooded.hooks.p99} ms (quiet ${quiet.hooks.p99}), ${flooded.failed} refused, stream heard ${heard} of ${sent}, ended: ${ended}`,
      { silent: SILENT, opened, open_files: OPEN_FILES, quiet, flooded, sent, heard, ended },
    )
  } finally {
    over = true
    await server.stop('SIGKILL')
    rmSync(data_dir, { recursive: true, force: true })
  }
}
