// The log: JSON lines without secrets. Paths appear as templates, bodies, tokens and addresses never.

import type { DestinationStream, Logger } from 'pino'
import pino from 'pino'
import type { Config } from '../config.ts'

// Warnings and errors that say the same over and over become one line and a count: a database that is away fails every call, and
// its log must not fill the disk.

/** The first of its kind is written at once; so long are the others counted. */
const WINDOW_MS = 10_000
/** What was told in full is named only, until it has not come for so long. */
const FORGET_MS = 600_000
/** Kinds that are counted at the same time; what is beyond them counts as one. */
const KINDS_MOST = 100
const WARN = 40

type LogMethod = NonNullable<NonNullable<pino.LoggerOptions['hooks']>['logMethod']>

interface Counted {
  write(times: number): void
  times: number
}

/** A hook for pino. */
export function collapse(window_ms: number = WINDOW_MS): LogMethod {
  const counted = new Map<string, Counted>()
  /** Told in full lately; each timer forgets one. */
  const told = new Map<string, NodeJS.Timeout>()
  const remember = (place: string) => {
    clearTimeout(told.get(place))
    if (told.has(place) || told.size < KINDS_MOST)
      told.set(place, setTimeout(() => told.delete(place), FORGET_MS).unref())
  }
  return function logMethod(given, method, level) {
    if (level < WARN) return method.apply(this, given)
    const [about, text] = given as unknown[]
    const kind = kindOf(about, text)
    const name = counted.has(kind) || counted.size < KINDS_MOST ? kind : 'others'
    const known = counted.get(name)
    if (known) {
      known.times++
      return
    }
    const place = placeOf(about, kind)
    if (told.has(place)) {
      const line: unknown[] = [{ ...(about as object), ...shortOf(about) }, text]
      method.apply(this, line as Parameters<typeof method>)
    } else method.apply(this, given)
    // What has no error has no stack to be spared.
    if ('err' in shortOf(about)) remember(place)
    const write = (times: number) => {
      const line: unknown[] = [
        { times, within_ms: window_ms, ...shortOf(about) },
        `again: ${String(text ?? about)}`,
      ]
      method.apply(this, line as Parameters<typeof method>)
    }
    const entry: Counted = { write, times: 0 }
    counted.set(name, entry)
    setTimeout(() => {
      counted.delete(name)
      if (entry.times > 0) entry.write(entry.times)
    }, window_ms).unref()
  }
}

/** What a line is about, without what differs from call to call. */
function kindOf(about: unknown, text: unknown): string {
  const { name, code, message } = errorOf(about)
  return [text ?? about, name, code, message]
    .map(String)
    .join('|')
    .replace(/[0-9a-f-]{36}|\d+/g, '#')
}

/** The same, and where: two faults may say the same, and the stack of the second is news. */
function placeOf(about: unknown, kind: string): string {
  const { stack } = errorOf(about)
  return [kind, ...String(stack).split('\n').slice(1, 4)].join('|')
}

function shortOf(about: unknown): object {
  const { name, code, message } = errorOf(about)
  return name === undefined ? {} : { err: { name, error_code: code, message } }
}

function errorOf(about: unknown): { name?: unknown; code?: unknown; message?: unknown; stack?: unknown } {
  const err = typeof about === 'object' && about !== null && 'err' in about ? about.err : undefined
  return typeof err === 'object' && err !== null ? err : {}
}

/** What must not stand in a line, should anybody log an object that carries it. */
const SECRET = [
  'authorization',
  'password',
  'old_password',
  'new_password',
  'access_token',
  'token',
  'code',
  'body_secret',
  'url',
]

/** The server's logger. */
export function openLog(config: Pick<Config, 'log_level'>, to?: DestinationStream): Logger {
  const options = {
    level: config.log_level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: SECRET.flatMap((name) => [`${name}`, `*.${name}`, `req.headers.${name}`]).filter(
        (path) => path !== 'code',
      ),
      censor: '…',
    },
    serializers: { err: describeError },
    hooks: { logMethod: collapse() },
  }
  return to ? pino(options, to) : pino(options)
}

/**
 * Name, code, message and stack; not the values a database error may quote (`detail`, `where`, `parameters`). What is called `code`
 * alone was mailed to somebody, and is never written.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'object' ? error : { message: String(error) }
  const code = 'code' in error ? error.code : undefined
  return {
    name: error.name,
    ...(code !== undefined && { error_code: code }),
    message: error.message.slice(0, 500),
    stack: error.stack?.split('\n').slice(1, 12).join('\n'),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  }
}
