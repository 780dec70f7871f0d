// A process full of open event streams, so that the load does not sit in the process that measures. Started by stream.ts.
import { readFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { STREAMS_PER_USER } from '#contract/limits.ts'

/**
 * Arguments: port, file of tokens, how many streams other processes have opened with them, how many read, how many stand still
 * after the first bytes. Each token opens as many as one person may. Says `open`, then one line whenever more has been heard.
 */
const [port = '', file = '', before = '0', reading = '0', stalled = '0'] = process.argv.slice(2)
const tokens = JSON.parse(readFileSync(file, 'utf8')) as string[]
const ask = (n: number) =>
  `GET /api/v1/events HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${tokens[Math.floor((Number(before) + n) / STREAMS_PER_USER)]}\r\naccept: text/event-stream\r\n\r\n`
/** So many are opened at a time: a listen queue is short. */
const AT_ONCE = 50

let heard = 0
let open = 0

/** Opens one; resolves with the first bytes of the answer. */
function openOne(stands_still: boolean, n: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port: Number(port), host: '127.0.0.1' }, () => socket.write(ask(n)))
    let begun = false
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      if (!begun) {
        begun = true
        if (!chunk.includes('HTTP/1.1 200')) return reject(new Error(chunk.toString('utf8').slice(0, 300)))
        open++
        if (stands_still) socket.pause()
        resolve()
      }
      if (!stands_still && chunk.includes('"kind":"signal"')) heard++
    })
  })
}

const all = [
  ...Array.from({ length: Number(reading) }, () => false),
  ...Array.from({ length: Number(stalled) }, () => true),
]
for (let from = 0; from < all.length; from += AT_ONCE)
  await Promise.all(all.slice(from, from + AT_ONCE).map((stands_still, n) => openOne(stands_still, from + n)))
process.stdout.write(`open ${open}\n`)
let told = 0
setInterval(() => {
  if (heard === told) return
  told = heard
  process.stdout.write(`heard ${heard} ${performance.timeOrigin + performance.now()}\n`)
}, 5)
