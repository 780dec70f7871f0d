// What others may rely on stands on its page: calls, fields of a strategy, error codes, reasons, events, permissions, and what an operator may set (docs/adding.md sends their author there).
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ERRORS } from '#contract/errors.ts'
import { EVENT_KINDS } from '#contract/events.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { getInvite, listMyJoinRequests } from '#contract/join.ts'
import { PERMISSIONS } from '#contract/permissions.ts'
import { CHANGEABLE, updateStrategy } from '#contract/strategy.ts'
import { REASON_CODES } from '#contract/webhook.ts'
import { readConfig } from '#server/config.ts'
import { STRATEGY_KINDS } from '#trading/record.ts'

const page = (name: string) => readFileSync(`docs/pages/${name}.md`, 'utf8')
/** One part of a page, from its number to the next heading of that size. */
function section(name: string, number: string): string {
  const found = page(name)
    .split(/^## /m)
    .find((part) => part.startsWith(number))
  if (found === undefined) throw new Error(`docs/pages/${name}.md has no § ${number}`)
  return found
}
const rowsOf = (part: string) =>
  part.split('\n').flatMap((line) => (line.startsWith('| ') ? [line.split(/(?<!\\)\|/)] : []))
const said = (text: string, word: string | number) => new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(text)

test('every call stands in operations or in wire §14, with its method', () => {
  const unnamed = (path: string) => path.replace(/\{\w+\}|:\w+/g, '{}')
  const lines = unnamed(page('operations') + section('wire', '14')).split(/[|·\n]/)
  const missing = ENDPOINTS.filter(({ method, path }) => {
    const whole = new RegExp(`${unnamed(path).replace(/[{}./]/g, '\\$&')}(?![\\w/{-])`)
    return !lines.some((line) => said(line, method) && whole.test(line))
  })
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

/** Answered beside the calls of the contract: files, tools, other sites. */
const DOORS =
  /^\/(hooks\/|unsubscribe\/|healthz|readyz|api\/(docs|openapi\.json)|sso\/\{\w+\}\/(start|callback))/

test('every call of operations is built', () => {
  const named = [...page('operations').matchAll(/\b(GET|POST|PUT|DELETE) (\/[\w/{}.-]*[\w}])/g)]
  const built = (method = '', path = '') =>
    ENDPOINTS.some(
      (one) => one.method === method && one.path.replace(/:\w+/g, '{}') === path.replace(/\{\w+\}/g, '{}'),
    )
  const lacking = named.filter(([, method, path = '']) => !DOORS.test(path) && !built(method, path))
  expect(lacking.map(([, method, path]) => `${method} ${path}`)).toEqual([])
})

test('every field of a strategy stands in wire §4, and every setting in the line of its kind', () => {
  const part = section('wire', '4')
  const fields = rowsOf(part).map(([, names = '']) => names)
  const { id: _named, ...writable } = updateStrategy.input.shape
  expect(Object.keys(writable).filter((name) => !fields.some((names) => said(names, name)))).toEqual([])
  const lineOf = (kind: string) =>
    part.split('\n').find((line) => line.startsWith(`**settings ${kind}**`)) ?? ''
  const missing = STRATEGY_KINDS.flatMap((kind) => {
    const line = lineOf(kind)
    const whole = line.includes('= stock +') ? line + lineOf('stock') : line
    return Object.keys(CHANGEABLE[kind])
      .filter((name) => !said(whole, name))
      .map((name) => `${kind}: ${name}`)
  })
  expect(missing).toEqual([])
})

test('every way into an organization stands in wire §3: what a code is, and what a request came by', () => {
  const lines = section('wire', '3').split('\n')
  const missing = (line: string, words: readonly string[]) =>
    words.filter((word) => !said(lines.find((one) => one.startsWith(`**${line}**`)) ?? '', word))
  const kinds = getInvite.output.shape.kind.options
  const sources = listMyJoinRequests.output.def.element.shape.source.options
  expect([missing('Organization by code', kinds), missing('JoinRequest', sources)]).toEqual([[], []])
})

test('every error code stands in wire §13 with its status', () => {
  const rows = rowsOf(section('wire', '13'))
  const missing = Object.entries(ERRORS).filter(
    ([code, { status }]) =>
      !rows.some(([, codes = '', statuses = '']) => said(codes, code) && said(statuses, status)),
  )
  expect(missing).toEqual([])
})

test('every reason that a delivery can have stands in wire §5', () => {
  const list = /^reason_code: `([^`]+)`/m.exec(section('wire', '5'))?.[1]?.split(', ')
  expect(REASON_CODES.filter((reason) => !list?.includes(reason))).toEqual([])
  expect(list?.filter((reason) => !REASON_CODES.some((known) => known === reason))).toEqual([])
})

test('every kind of event stands in wire §11', () => {
  const kinds = rowsOf(section('wire', '11')).map(([, kind = '']) => kind)
  expect(EVENT_KINDS.filter((kind) => !kinds.some((said_there) => said(said_there, kind)))).toEqual([])
})

test('every permission stands in spec §6', () => {
  const list = /^Permissions: (.+)\.$/m.exec(section('spec', '6'))?.[1] ?? ''
  const stands = list.split('; ').flatMap((part) => {
    const [noun = '', verbs = ''] = part.split(/:(?=[^:]*$)/)
    return verbs.split('/').map((verb) => `${noun}:${verb}`)
  })
  expect(stands.toSorted()).toEqual([...PERMISSIONS].toSorted())
})

test('every variable that the server reads stands in docs/running.md, and none that it does not', () => {
  const read = new Set<string>()
  readConfig(
    new Proxy<Record<string, string>>(
      {},
      { get: (_, name) => void (typeof name === 'string' && read.add(name)) },
    ),
  )
  const rows = rowsOf(readFileSync('docs/running.md', 'utf8'))
  const listed = rows.flatMap(([, names = '']) =>
    [...names.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name),
  )
  expect(listed.toSorted()).toEqual([...read].toSorted())
})
