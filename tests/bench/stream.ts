// One signal to very many open streams, some of which have stopped reading: when the last one has it.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { STREAMS_PER_USER } from '#contract/limits.ts'
import { type Crowd, openCrowd } from './crowd.ts'
import { report, shown, spread } from './figures.ts'

const STREAMS = Number(process.env['STREAMS'] ?? 5_000)
const STALLED = Math.round(STREAMS / 10)
const PROCESSES = 2
const RUNS = 5
/** Longer than this a stream counts as lost. */
const LIMIT_MS = 30_000

/** What a process of streams has told so far. */
export interface Group {
  child: ChildProcess
  heard: number
  /** ms since 1970, with fractions */
  heard_at: number
}

/** A process with its streams, open; `before` of the crowd's places are taken. More files than usual are allowed in it. */
export function openGroup(
  { server, tokens }: Pick<Crowd, 'server' | 'tokens'>,
  before: number,
  reading: number,
  stalled: number,
): Promise<Group> {
  const { port } = new URL(server.url)
  const command = `ulimit -n $(ulimit -Hn); exec "${process.execPath}" "${join(import.meta.dirname, 'streams.ts')}" ${port} "${tokens}" ${before} ${reading} ${stalled}`
  const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'inherit'] })
  const group: Group = { child, heard: 0, heard_at: 0 }
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`a group of streams ended with ${code}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [word, count, at] = line.split(' ')
      if (word === 'open') resolve(group)
      else Object.assign(group, { heard: Number(count), heard_at: Number(at) })
    })
  })
}

/** Sends one signal; milliseconds until the last reading stream has it. */
export async function fan(groups: Group[], reading: number, send: () => Promise<void>): Promise<number> {
  const before = groups.reduce((sum, { heard }) => sum + heard, 0)
  const began = performance.timeOrigin + performance.now()
  await send()
  for (;;) {
    const heard = groups.reduce((sum, group) => sum + group.heard, 0) - before
    if (heard >= reading) return Math.max(...groups.map(({ heard_at }) => heard_at)) - began
    if (performance.timeOrigin + performance.now() - began > LIMIT_MS)
      throw new Error(`${heard} of ${reading} streams heard it within ${LIMIT_MS} ms`)
    await new Promise((next) => setTimeout(next, 5))
  }
}

/** npm run bench -- stream. The goal: the last of 5,000 within 1 s, 500 stalled ones change nothing. */
export async function stream(): Promise<void> {
  const crowd = await openCrowd(Math.ceil((STREAMS + STALLED) / STREAMS_PER_USER) + 1)
  const took: Record<'alone' | 'all' | 'stalled', number[]> = { alone: [], all: [], stalled: [] }
  const groups: Group[] = []
  let price = 41_000
  const send = () => crowd.send(price++)
  try {
    const single = await openGroup(crowd, 0, 1, 0)
    for (let run = 0; run < RUNS; run++) took.alone.push(await fan([single], 1, send))
    single.child.removeAllListeners('exit').kill()
    await new Promise((next) => setTimeout(next, 500)) // the server has seen it go
    const each = Math.floor(STREAMS / PROCESSES)
    for (let n = 0; n < PROCESSES; n++) groups.push(await openGroup(crowd, each * n, each, 0))
    for (let run = 0; run < RUNS; run++) took.all.push(await fan(groups, each * PROCESSES, send))
    groups.push(await openGroup(crowd, each * PROCESSES, 0, STALLED))
    for (let run = 0; run < RUNS; run++) took.stalled.push(await fan(groups, each * PROCESSES, send))
    report(
      'stream',
      `one signal to ${each * PROCESSES} streams: last after ${shown(spread(took.all), 'ms')}, with ${STALLED} stalled beside them ${shown(spread(took.stalled), 'ms')}, to one ${shown(spread(took.alone), 'ms')}`,
      {
        streams: each * PROCESSES,
        stalled: STALLED,
        last_ms: spread(took.all),
        last_ms_with_stalled: spread(took.stalled),
        alone_ms: spread(took.alone),
      },
    )
  } finally {
    for (const { child } of groups) child.removeAllListeners('exit').kill()
    await crowd.close()
  }
}
