// The least that could do the intake's job: read the body, store it raw with the same group commit, answer. Run as a process,
// into a SQLite file of this folder, or into the PostgreSQL of this address.
import { createServer } from 'node:http'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'

const [folder = '.', port = '0', url] = process.argv.slice(2)
const store = url === undefined ? sqlite() : await postgres(url)
const waiting: { body: string; answer: () => void }[] = []
let running = false

function sqlite(): (bodies: readonly string[]) => void {
  const db = new Sqlite(join(folder, 'floor.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec('create table raw (id integer primary key, body text not null)')
  const insert = db.prepare('insert into raw (body) values (?)')
  return (bodies) => {
    db.exec('begin immediate')
    for (const body of bodies) insert.run(body)
    db.exec('commit')
  }
}

/** One statement, planned once, is one commit. */
async function postgres(connectionString: string): Promise<(bodies: string[]) => Promise<unknown>> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(
    'create table raw (id bigint generated always as identity primary key, body text not null)',
  )
  const text = 'insert into raw (body) select unnest($1::text[])'
  return (bodies) => client.query({ name: 'raw', text, values: [bodies] })
}

async function run(): Promise<void> {
  const batch = waiting.splice(0, 256)
  await store(batch.map(({ body }) => body))
  for (const { answer } of batch) answer()
  if (waiting.length > 0) gather()
  else running = false
}

/** As the product does: waits as long as every turn of the event loop brings more. */
function gather(): void {
  const seen = waiting.length
  setImmediate(() => (waiting.length > seen && waiting.length < 256 ? gather() : void run()))
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
