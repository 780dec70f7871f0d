// Loaded before the server's sources: kills the process, as a power cut would, when the database is asked what KILLED_AT says (a pattern)
// for the first time.
import Sqlite from 'better-sqlite3'
import pg from 'pg'

const at = new RegExp(process.env['KILLED_AT'] as string, 'i')
const look = (text: unknown) => {
  if (typeof text === 'string' && at.test(text)) process.kill(process.pid, 'SIGKILL')
}

const { prepare } = Sqlite.prototype
Sqlite.prototype.prepare = function (this: Sqlite.Database, ...given: unknown[]) {
  look(given[0])
  return Reflect.apply(prepare, this, given) as unknown
} as typeof prepare
const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  const [first] = given as [string | { text?: string }]
  look(typeof first === 'string' ? first : first?.text)
  return Reflect.apply(query, this, given) as unknown
} as typeof query
