// The negative control of the power cut: SQLite that does not wait for the disk at a commit. Loaded with --import in front of the real server.
import Sqlite from 'better-sqlite3'

const pragma = Sqlite.prototype.pragma
Sqlite.prototype.pragma = function lie(source: string, options?: Sqlite.PragmaOptions): unknown {
  if (source === 'synchronous = FULL') return pragma.call(this, 'synchronous = NORMAL')
  return source === 'synchronous' ? 2 : pragma.call(this, source, options)
}
