// A process full of open event streams, so that the load does not sit in the process that measures. Started by stream.ts.
import { createConnection } from 'node:net'

/** Arguments: port, token, how many read, how many stand still after the first bytes. Says `open`, then one line per record heard. */
const [port = '', token = '', reading = '0', stalled = '0'] = process.argv.slice(2)
const ASK = `GET /api/v1/events HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\naccept: text/event-stream\r\n\r\n`
/** So many are opened at a time: a listen queue is short. */
const AT_ONCE = 50

let heard = 0
let open = 0

/** Opens one; resolves with the first bytes of the answer. */
function openOne(stands_still: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port: Number(port), host: '127.0.0.1' }, () => socket.write(ASK))
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
  await Promise.all(all.slice(from, from + AT_ONCE).map(openOne))
process.stdout.write(`open ${open}\n`)
let told = 0
setInterval(() => {
  if (heard === told) return
  told = heard
  process.stdout.write(`heard ${heard} ${performance.timeOrigin + performance.now()}\n`)
}, 5)
