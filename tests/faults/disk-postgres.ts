// A PostgreSQL whose data lies on a given disk, to be killed together with the power and started again.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { findPostgres } from '#tests/support/postgres.ts'
import { freePort } from '#tests/support/server.ts'

export interface DiskPostgres {
  url: string
  start(): Promise<void>
  /** Every process of it, at once. */
  kill(): Promise<void>
}

const id = (which: '-u' | '-g') => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }))

const isOver = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

/**
 * Makes the cluster under `path`, its log too unless `log` names another folder; `settings` are postgresql.conf lines such as
 * `synchronous_commit=off`. Needs root.
 */
export async function makePostgres(
  path: string,
  settings: readonly string[],
  log?: string,
): Promise<DiskPostgres> {
  const programs = findPostgres() as string
  const data = join(path, 'postgres')
  mkdirSync(data)
  for (const folder of log === undefined ? [data] : [data, log]) chownSync(folder, id('-u'), id('-g'))
  const owner = [`--reuid=${id('-u')}`, `--regid=${id('-g')}`, '--clear-groups']
  const initdb = ['-D', data, '-U', 'lingbo', '--auth=trust', '--encoding=UTF8', '--no-locale']
  if (log !== undefined) initdb.push('--waldir', log)
  execFileSync('setpriv', [...owner, join(programs, 'initdb'), ...initdb, '--wal-segsize=1'], {
    cwd: '/',
    stdio: 'ignore',
  })
  const port = await freePort()
  const url = `postgres://lingbo@127.0.0.1:${port}/postgres`
  const all = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=40', ...settings]
  let child: ChildProcess | null = null
  return {
    url,
    async start() {
      child = spawn(
        'setpriv',
        [
          ...owner,
          '--pdeathsig=KILL',
          ...[join(programs, 'postgres'), '-D', data, '-p', `${port}`],
          ...all.flatMap((line) => ['-c', line]),
        ],
        { cwd: '/', stdio: 'ignore', detached: true },
      )
      const started = child
      for (let i = 0; ; i++) {
        if (isOver(started)) throw new Error(`PostgreSQL ended: ${started.exitCode ?? started.signalCode}`)
        const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
        client.on('error', () => undefined)
        try {
          await client.connect()
          await client.end()
          return
        } catch (error) {
          // It replays its log first.
          if (i > 2_400) throw error
          await new Promise((next) => setTimeout(next, 25))
        }
      }
    },
    async kill() {
      const process_ = child
      child = null
      // Whoever finds the disk gone first may have taken all others along, by a signal of its own: nobody is left to wait for.
      if (!process_ || isOver(process_)) return
      const ended = new Promise((resolve) => process_.once('exit', resolve))
      // Its children see the end of the postmaster and go by themselves; umount waits for them.
      process_.kill('SIGKILL')
      await ended
    },
  }
}
