// The least that could do the intake's job: read the body, store it raw with the same group commit, answer. Run as a process.
import { createServer } from 'node:http'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

const [folder = '.', port = '0'] = process.argv.slice(2)
const db = new Sqlite(join(folder, 'floor.db'))
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.exec('create table raw (id integer primary key, body text not null)')
const insert = db.prepare('insert into raw (body) values (?)')
const waiting: { body: string; answer: () => void }[] = []
let running = false

function run(): void {
  const batch = waiting.splice(0, 256)
  db.exec('begin immediate')
  for (const { body } of batch) insert.run(body)
  db.exec('commit')
  for (const { answer } of batch) answer()
  if (waiting.length > 0) gather()
  else running = false
}

/** As the product does: waits as long as every turn of the event loop brings more. */
function gather(): void {
  const seen = waiting.length
  setImmediate(() => (waiting.length > seen && waiting.length < 256 ? gather() : run()))
}

createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (request.method !== 'POST') return void response.end('ok')
    const answer = () =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 }).end('{}')
    waiting.push({ body: Buffer.concat(chunks).toString('utf8'), answer })
    if (!running) {
      running = true
      gather()
    }
  })
}).listen(Number(port), '127.0.0.1')
