// One signal to very many open streams, some of which have stopped reading: when the last one has it.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openPlace } from './app.ts'
import { report, shown, spread } from './figures.ts'

/** One person may have ten: more need members of an organization, which this bench does not make yet (decision 013). */
const STREAMS = Number(process.env['STREAMS'] ?? 9)
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

/** A process with its streams, open. More files than usual are allowed in it. */
export function openGroup(port: string, token: string, reading: number, stalled: number): Promise<Group> {
  const command = `ulimit -n $(ulimit -Hn); exec "${process.execPath}" "${join(import.meta.dirname, 'streams.ts')}" ${port} ${token} ${reading} ${stalled}`
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
async function fan(groups: Group[], reading: number, send: () => Promise<string>): Promise<number> {
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

/** npm run bench -- stream. The goal, which needs many members: the last of 5,000 within 1 s, 500 stalled ones change nothing. */
export async function stream(): Promise<void> {
  const place = await openPlace(1)
  const { port } = new URL(place.url)
  const took: Record<'alone' | 'all' | 'stalled', number[]> = { alone: [], all: [], stalled: [] }
  const groups: Group[] = []
  let price = 41_000
  const send = () => place.send(price++)
  try {
    const single = await openGroup(port, place.person.token, 1, 0)
    for (let run = 0; run < RUNS; run++) took.alone.push(await fan([single], 1, send))
    single.child.removeAllListeners('exit').kill()
    await new Promise((next) => setTimeout(next, 500)) // the server has seen it go
    const each = Math.floor((STREAMS - STALLED) / PROCESSES)
    for (let n = 0; n < PROCESSES; n++) groups.push(await openGroup(port, place.person.token, each, 0))
    for (let run = 0; run < RUNS; run++) took.all.push(await fan(groups, each * PROCESSES, send))
    groups.push(await openGroup(port, place.person.token, 0, STALLED))
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
    await place.close()
  }
}
