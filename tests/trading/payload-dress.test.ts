// The same message in other clothes: read as the same signal, its time too, or refused; never as another one.

import { expect, test } from 'vitest'
import { sized } from '#tests/support/tier.ts'
import { readPayload } from '#trading/reader/generic.ts'
import type { PayloadInput, ReadOutcome, ReadSignal } from '#trading/reader/shape.ts'
import { type CorpusCase, corpus, inputFor, summary } from './corpus.ts'
import { deskFor } from './formats.ts'

type Tree = { [key: string]: unknown }
const FACTS = [
  'symbol',
  'contract',
  'action',
  'quantity',
  'target_position',
  'price',
  'occurred_at',
] as const satisfies readonly (keyof ReadSignal)[]

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every object anew from its entries. */
function renewed(value: unknown, entries: (all: [string, unknown][]) => [string, unknown][]): unknown {
  if (Array.isArray(value)) return value.map((one) => renewed(one, entries))
  if (!isTree(value)) return value
  return Object.fromEntries(
    entries(Object.entries(value)).map(([key, inner]) => [key, renewed(inner, entries)]),
  )
}

const keys = (tree: Tree, spell: (key: string) => string) =>
  JSON.stringify(renewed(tree, (all) => all.map(([key, value]) => [spell(key), value])))

/** In pairs a volume alone is the size. */
function pairs(tree: Tree, sign: string, joint: string): string | null {
  const all = Object.entries(tree)
  const flat = all.every(([key, value]) => typeof value !== 'object' && !/[=;：\n]/.test(`${key}${value}`))
  return flat && (!('volume' in tree) || 'high' in tree)
    ? all.map((pair) => pair.join(sign)).join(joint)
    : null
}

const CLOTHES: Record<string, (tree: Tree) => string | null> = {
  'the keys in the other order': (tree) => JSON.stringify(renewed(tree, (all) => all.reverse())),
  'keys in capitals': (tree) => keys(tree, (key) => key.toUpperCase()),
  'keys with dashes': (tree) => keys(tree, (key) => key.replaceAll('_', '-')),
  'keys in camel case': (tree) =>
    keys(tree, (key) => key.replace(/_([a-z])/g, (_, c: string) => c.toUpperCase())),
  'an envelope': (tree) => JSON.stringify({ data: { order: tree } }),
  'an unknown envelope': (tree) => JSON.stringify({ zzz: tree }),
  'a message inside a message': (tree) => JSON.stringify({ body: JSON.stringify(tree) }),
  'unknown fields beside': (tree) =>
    JSON.stringify({ zqx: { a: 17.25, b: '金叉 上漲' }, ...tree, zqz: null }),
  'a byte order mark and line ends': (tree) =>
    `\uFEFF${JSON.stringify(tree, null, '\t').replaceAll('\n', '\r\n')}\r\n`,
  pairs: (tree) => pairs(tree, '=', ';'),
  'lines of pairs': (tree) => pairs(tree, '=', '\n'),
  'lines of names': (tree) => pairs(tree, '：', '\n'),
}

type Read = (input: PayloadInput) => { kind: string } | Extract<ReadOutcome, { kind: 'signal' }>

/** The bodies that are objects and that are read once a person has confirmed them, each with its own reader. */
const accepted = (readerOf: (entry: CorpusCase) => Read) =>
  corpus().flatMap((entry) => {
    const tree = entry.body.trimStart().startsWith('{') ? treeOf(entry.body) : null
    const read = tree && readerOf(entry)
    const before = read?.(inputFor(entry))
    return tree && read && before?.kind === 'signal' ? [{ entry, tree, read, before: before as Signal }] : []
  })
type Signal = Extract<ReadOutcome, { kind: 'signal' }>

const confirmed = (entry: CorpusCase): Read => {
  const desk = deskFor(entry)
  if (desk.read(inputFor(entry)).kind === 'held') desk.confirm(entry, inputFor(entry))
  return (input) => desk.read(input)
}
const ACCEPTED = accepted(confirmed)

function differences(dress: (tree: Tree) => string | null, bodies: ReturnType<typeof accepted>) {
  const wrong: string[] = []
  let same = 0
  for (const { entry, tree, read, before } of bodies) {
    const body = dress(tree)
    if (body === null) continue
    const after = read(inputFor(entry, body))
    if (after.kind !== 'signal') continue
    const signal = (after as Signal).signal
    if (FACTS.every((fact) => signal[fact] === before.signal[fact])) same += 1
    else wrong.push(`${entry.path}\n  ${body}\n  ${summary(before)}\n  ${summary(after as Signal)}`)
  }
  return { wrong, same }
}

function treeOf(body: string): Tree | null {
  try {
    const tree: unknown = JSON.parse(body)
    return isTree(tree) ? tree : null
  } catch {
    // Only strict JSON is taken apart here.
    return null
  }
}

/** Each piece is tried on one body in so many, another one each time: every body wears some. */
const EACH = sized(3, 1)

const SAME_SHAPE = new Set(['the keys in the other order', 'a byte order mark and line ends'])

test.each(Object.keys(CLOTHES).map((name, nth) => ({ name, nth })))('$name', ({ name, nth }) => {
  const bodies = ACCEPTED.filter((_, n) => (n + nth) % EACH === 0)
  const { wrong, same } = differences(CLOTHES[name] as (tree: Tree) => string | null, bodies)
  expect(wrong).toEqual([])
  // Another order or white space is the same shape; other names are another, and held.
  if (SAME_SHAPE.has(name)) expect(same).toBeGreaterThan(bodies.length * 0.9)
})

test('negative control: a reader that takes the first of several times is caught', () => {
  const first = (): Read => (input) => {
    const outcome = readPayload(input)
    const time = /"time": ?"([^"]+Z)"/.exec(input.body)?.[1]
    return outcome.kind === 'signal' && time !== undefined
      ? { ...outcome, signal: { ...outcome.signal, occurred_at: time } }
      : outcome
  }
  const other = CLOTHES['the keys in the other order'] as (tree: Tree) => string
  expect(differences(other, accepted(first)).wrong).not.toEqual([])
})
