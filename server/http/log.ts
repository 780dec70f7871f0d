// The log: JSON lines without secrets. Paths appear as templates, bodies, tokens and addresses never.
import pino, { type DestinationStream, type Logger } from 'pino'
import type { Config } from '../config.ts'
import { collapse } from './collapse.ts'

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
