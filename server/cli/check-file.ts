// A process of its own that reads a SQLite file through while the server works on it, and ends with what it found.
import { constants, setPriority } from 'node:os'
import Sqlite from 'better-sqlite3'

// Signals come first: on two processors it would take one of them for as long as it reads.
setPriority(constants.priority.PRIORITY_LOW)

const db = new Sqlite(process.argv[2] as string, { readonly: true, fileMustExist: true, timeout: 10_000 })
const found = db.pragma('quick_check(1)', { simple: true })
db.close()
if (found !== 'ok') console.error(found)
process.exitCode = found === 'ok' ? 0 : 3
