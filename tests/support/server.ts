// Starts the real server for a test: in this process on a free port, or as a process of its own that can be killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { createApp, type Overrides } from '#server/app.ts'
import { serverFile } from '#server/cli/building.ts'
import { readConfig } from '#server/config.ts'
import type { App } from '#server/context.ts'
import { type Files, loadFiles } from '#server/http/static.ts'
import { QUICK_PASSWORDS } from './passwords.ts'
import { freePort, UNHURRIED } from './port.ts'
import { DURABLE } from './postgres.ts'
import { createMigrated, placeSqlite } from './template.ts'

export type Engine = 'sqlite' | 'postgres'
type Env = Record<string, string>

export interface Letter {
  to: string
  subject: string
  text: string
}

export interface TestServer {
  url: string
  app: App
  data_dir: string
  /** A plain fetch under the server's origin. */
  request(path: string, init?: RequestInit): Promise<Response>
  /** The same without a network: for very many requests. */
  dispatch(path: string, init?: RequestInit): Promise<Response>
  /** What the server wrote into its mail folder, oldest first. */
  mails(): Promise<Letter[]>
  close(): Promise<void>
}

export interface StartOptions {
  engine?: Engine
  env?: Env
  overrides?: Overrides
  /** Plans and sends notifications by itself, as the product does; else only when told to catch up. */
  notifies?: true
  /** Stores passwords as the product does; else at next to no work, for nobody guesses at them here. */
  whole_passwords?: true
  /** Use and keep this folder instead of a fresh one that is removed. */
  data_dir?: string
}

/** Limits are for strangers; a test of something else must not meet them. */
const DEFAULTS: Env = {
  // Tests read the letters of the folder.
  MAIL_PICKUP: 'true',
  LIMIT_FACTOR: '1000',
  HOOK_RATE_PER_MINUTE: '1000000',
  HOOK_BURST: '1000000',
  LOG_LEVEL: 'silent',
}

/**
 * On a machine that is busy with other things PostgreSQL may be silent for longer than TradingView waits. Where a test names a
 * database of its own (faults/network), what stands between must be noticed: there the product's own patience holds.
 */
export const PATIENT: Env = { DATABASE_PATIENCE_MS: '20000' }

let built: Files | undefined
/** Some 450 files, which nobody changes while the tests of a process run: read for its first server. */
function builtApp(dist_dir: string): Files {
  built ??= loadFiles(dist_dir)
  return built
}

/** The server in this process, on a free port, with its own folder and (PostgreSQL) its own database. */
export async function startServer(options: StartOptions = {}): Promise<TestServer> {
  const { engine = 'sqlite', env = {}, overrides } = options
  const data_dir = options.data_dir ?? mkdtempSync(join(tmpdir(), 'lingbo-test-'))
  const database = engine === 'postgres' ? await createMigrated() : null
  const http = createServer(UNHURRIED)
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const config = readConfig({
    ...DEFAULTS,
    PUBLIC_URL: url,
    DATA_DIR: data_dir,
    ...(database && { DATABASE_URL: database.url, ...PATIENT }),
    ...env,
  })
  const own_file = config.database_url === null && options.data_dir === undefined && !env['DATA_DIR']
  if (own_file) await placeSqlite(data_dir)
  const server = await createApp(config, {
    ...(!options.notifies && { notify: 'by hand' }),
    ...(!options.whole_passwords && { passwords: QUICK_PASSWORDS }),
    ...(!env['DIST_DIR'] && { files: builtApp(config.dist_dir) }),
    ...overrides,
  })
  // Nobody cuts the power of this process, and its folder goes with it: waiting for the disk would prove nothing here.
  // That the product waits is seen in tests/server/database.test.ts, and what that is worth in tests/faults/power.test.ts.
  if (own_file && process.env[DURABLE] !== '1')
    await sql.raw('pragma synchronous = off').execute(server.app.db)
  http.on('request', server.listener)
  return {
    url,
    app: server.app,
    data_dir,
    request: (path, init) => fetch(new URL(path, url), init),
    dispatch: async (path, init) => server.fetch(new Request(new URL(path, url), init)),
    async mails() {
      // They are written after the answers: whoever looks finds those of every call before.
      if (config.smtp_url === null) await server.app.mail.settled()
      return readMails(data_dir)
    },
    async close() {
      await stop(http)
      await server.close()
      await database?.drop()
      if (options.data_dir === undefined) rmSync(data_dir, { recursive: true, force: true })
    },
  }
}

export interface SpawnedServer {
  url: string
  data_dir: string
  child: ChildProcess
  /** What it printed and was read so far: a line may come a moment after the answer that it stands before. Whole after `stop`. */
  output(): string
  /** Waits until it has printed this. */
  says(text: string): Promise<void>
  request(path: string, init?: RequestInit): Promise<Response>
  mails(): Promise<Letter[]>
  /** Sends the signal and waits for the end; gives the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** A guard against what never comes. */
const SAYS_MS = 60_000

/** What `npm start` serves with. */
export function served(): string {
  file ??= serverFile()
  return file
}
let file: string | undefined

/** The server as a process, ready when it answers. The folder is the caller's. */
export async function spawnServer(options: {
  data_dir: string
  env?: Env
  port?: number
  /** How many files it may have open; as many as this process when absent. */
  open_files?: number
  /** From the sources, so that what is loaded before it can change a part of it. */
  from_sources?: boolean
}): Promise<SpawnedServer> {
  const port = options.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const { open_files, from_sources = false } = options
  const entry = from_sources ? join(root, 'server/main.ts') : served()
  const [command, args] =
    open_files === undefined
      ? [process.execPath, [entry]]
      : ['sh', ['-c', `ulimit -n ${open_files}; exec "$0" "$1"`, process.execPath, entry]]
  const child = spawn(command as string, args as string[], {
    cwd: root,
    env: {
      ...process.env,
      ...DEFAULTS,
      ...PATIENT,
      LOG_LEVEL: 'info',
      PORT: String(port),
      DATA_DIR: options.data_dir,
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  // With the last of what it printed, which may come after its end.
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  // It says when it listens: asking a port that is not there yet, again and again, would only take processor from its start.
  while (!output.includes('凌波已啟動') || !(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}:\n${output}`)
    await new Promise((next) => setTimeout(next, 25))
  }
  return {
    url,
    data_dir: options.data_dir,
    child,
    output: () => output,
    async says(text) {
      const until = Date.now() + SAYS_MS
      while (!output.includes(text)) {
        if (Date.now() > until) throw new Error(`the server never said ${text}:\n${output.slice(-4_000)}`)
        await new Promise((next) => setTimeout(next, 25))
      }
    },
    request: (path, init) => fetch(new URL(path, url), init),
    mails: () => readMails(options.data_dir),
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

export { freePort } from './port.ts'

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`)).ok
  } catch {
    // Not listening yet.
    return false
  }
}

function stop(http: HttpServer): Promise<void> {
  return new Promise((done) => {
    http.close(() => done())
    http.closeAllConnections()
  })
}

async function readMails(data_dir: string): Promise<Letter[]> {
  const folder = join(data_dir, 'mail')
  const names = await readdir(folder).catch(() => [])
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .map((name) => readFile(join(folder, name), 'utf8')),
  )
  return files.map(readMail)
}

/** Enough of MIME for our own mails: headers in encoded words, one text part. */
export function readMail(source: string): Letter {
  const header = (name: string) =>
    decodeWords(
      (new RegExp(`^${name}: (.*(?:\\n[ \\t].*)*)`, 'mi').exec(source)?.[1] ?? '').replace(/\n[ \t]/g, ' '),
    )
  const part = source.split(/^--.*$/m).find((piece) => /content-type: text\/plain/i.test(piece)) ?? ''
  const [head = '', ...body] = part.trimStart().split('\n\n')
  const raw = body.join('\n\n').trim()
  const text = /base64/i.test(head)
    ? Buffer.from(raw, 'base64').toString('utf8')
    : /quoted-printable/i.test(head)
      ? decodeQuoted(raw.replace(/=\n/g, ''))
      : raw
  return { to: header('to'), subject: header('subject'), text }
}

function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, kind: string, value: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(value, 'base64').toString('utf8')
        : decodeQuoted(value.replaceAll('_', ' ')),
    )
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
