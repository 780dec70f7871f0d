// Loaded before a restore: kills the process where KILLED_AT says, as a power cut would. `commit`: when PostgreSQL is told to commit
// and the folder has been exchanged; `place`: when the first of the new is to take its place.
import fs, { readdirSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import pg from 'pg'

const end = () => process.kill(process.pid, 'SIGKILL')
const folder = process.env['DATA_DIR'] as string
const exchanged = () => readdirSync(folder).some((name) => name.startsWith('replaced-'))

if (process.env['KILLED_AT'] === 'commit') {
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [first] = given as [string | { text?: string }]
    const text = typeof first === 'string' ? first : first?.text
    if (/^commit/i.test(text ?? '') && exchanged()) end()
    return Reflect.apply(query, this, given) as unknown
  } as typeof query
} else {
  const { renameSync } = fs
  fs.renameSync = (from, to) => {
    if (String(from).includes('/restoring/')) end()
    renameSync(from, to)
  }
  syncBuiltinESMExports()
}
