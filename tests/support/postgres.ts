// A private PostgreSQL for the tests of one process: own folder, own port, stopped and removed at its end.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { freePort } from './port.ts'

const DEBIAN = '/usr/lib/postgresql'
const GUARD = '"$@" & server=$!; cat >/dev/null; kill -INT $server; wait $server; rm -rf "$0"'
/** Name of the environment variable with the address of the run's own PostgreSQL, without a database. */
export const SHARED = 'LINGBO_TEST_POSTGRES'
/** Benches set this: their databases wait for the disk, as the product's do. Tests do not. */
export const DURABLE = 'LINGBO_TEST_DURABLE'
let running: Promise<{ url(database: string): string }> | undefined
let made = 0

/** The folder of PostgreSQL's programs, null when there is none. */
export function findPostgres(): string | null {
  const folders = [
    ...(existsSync(DEBIAN)
      ? readdirSync(DEBIAN)
          .sort((a, b) => Number(b) - Number(a))
          .map((version) => join(DEBIAN, version, 'bin'))
      : []),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ]
  return (
    folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl'))) ?? null
  )
}

/** Installs PostgreSQL where that is possible (Debian as root); false when it is not there afterwards. */
export function installPostgres(): boolean {
  if (findPostgres() === null && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env, timeout: 300_000 })
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'postgresql'], {
      stdio: 'ignore',
      env,
      timeout: 600_000,
    })
  }
  return findPostgres() !== null
}

/** A database of its own, empty or as the template is. */
export async function createDatabase(
  template = 'template1',
): Promise<{ url: string; drop(): Promise<void> }> {
  const server = await withoutDatabase()
  const name = `test_${process.pid}_${++made}`
  const postgres = `${server}postgres`
  await administer(postgres, `create database ${name} template ${template}`)
  const drop = () => administer(postgres, `drop database ${name} with (force)`)
  return { url: server + name, drop }
}

/** The address of the PostgreSQL that databases are made in; one is started where the run has none. */
export async function withoutDatabase(): Promise<string> {
  const shared = process.env[SHARED]
  running ??=
    shared === undefined ? startPostgres() : Promise.resolve({ url: (database: string) => shared + database })
  return (await running).url('')
}

/** One statement over a connection of its own. */
export async function administer(url: string, statement: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement, values)
  } finally {
    await client.end()
  }
}

export interface OwnPostgres {
  readonly port: number
  url(database: string): string
  /** Stops it at once, as a machine that goes. */
  stop(): Promise<void>
}

/** Starts a PostgreSQL that ends with this process. */
export async function startPostgres(): Promise<OwnPostgres> {
  const { folder, data, run } = place()
  const how = ['-U', 'lingbo', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync']
  run('initdb', ['-D', data, ...how])
  return serve(folder, data)
}

/** A streaming replica of it, which lags by so long. */
export async function startReplica(primary: OwnPostgres, lag_ms = 0): Promise<OwnPostgres> {
  const { folder, data, run } = place()
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'lingbo']
  run('pg_basebackup', ['-D', data, ...from, '-R', '-X', 'stream', '--checkpoint=fast', '--no-sync'])
  return serve(folder, data, [`recovery_min_apply_delay=${lag_ms}`])
}

/** A folder for one, and its programs run as who owns it: PostgreSQL refuses to run as root, the package's own user does it then. */
function place() {
  const programs = findPostgres()
  if (programs === null) throw new Error('PostgreSQL is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'lingbo-pg-'))
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (process.getuid?.() === 0) for (const path of [folder, data]) chownSync(path, id('-u'), id('-g'))
  const run = (program: string, args: readonly string[]) => {
    const [first = '', ...rest] = [...owner(), join(programs, program), ...args]
    execFileSync(first, rest, { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder })
  }
  return { folder, data, run }
}

const owner = () =>
  process.getuid?.() === 0
    ? ['setpriv', `--reuid=${id('-u')}`, `--regid=${id('-g')}`, '--clear-groups']
    : ['env']

async function serve(folder: string, data: string, more: readonly string[] = []): Promise<OwnPostgres> {
  const port = await freePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'max_connections=200',
    ...more,
  ]
  // Here only our own server is killed, never the machine under PostgreSQL: what a power cut does is tried on a disk of its own (faults/power).
  if (process.env[DURABLE] !== '1') settings.push('fsync=off', 'full_page_writes=off')
  const server = [
    ...owner(),
    ...[join(findPostgres() as string, 'postgres'), '-D', data, '-p', String(port)],
    ...settings.flatMap((setting) => ['-c', setting]),
  ]
  // However the tests end, even by SIGKILL, the pipe closes: the shell then stops the server and removes its folder.
  const guard = spawn('sh', ['-c', GUARD, folder, ...server], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  guard.unref()
  ;(guard.stdin as Socket).unref()
  await answering(port)
  const ended = new Promise<void>((next) => guard.once('exit', () => next()))
  return {
    port,
    url: (database) => `postgres://lingbo@127.0.0.1:${port}/${database}`,
    stop: () => {
      guard.stdin.end()
      return ended
    },
  }
}

async function answering(port: number): Promise<void> {
  for (let i = 0; ; i++) {
    try {
      return await administer(`postgres://lingbo@127.0.0.1:${port}/postgres`, 'select 1')
    } catch (error) {
      // Starting takes a moment.
      if (i > 2_400) throw error
      await new Promise((next) => setTimeout(next, 25))
    }
  }
}

function id(which: '-u' | '-g'): number {
  return Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }))
}
