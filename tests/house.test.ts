// The walls of the house: who may import whom, how long a file may be, where a noun lives.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { QUEUED } from '#contract/outbox.ts'
import { BY_HAND, NAMING } from '#data/nouns/queued.ts'
import { PAGES, written } from './report/proof.ts'
import { circlesOf } from './support/circles.ts'
import { files, importsOf, ROOT, target } from './support/sources.ts'
import {
  crowded,
  doubled,
  EVERYBODY,
  isModule,
  reached,
  sheets,
  sought,
  strayed,
  unknown,
  unmatched,
  unread,
} from './support/styles.ts'

/** The room a path stands in: src has rooms of its own. */
function roomOf(path: string): string {
  const [first, second, third] = path.split('/')
  if (first !== 'src') return first as string
  if (second === 'features') return `features/${third}`
  return ['data', 'state', 'text', 'ui', 'screen', 'routes'].includes(second as string)
    ? (second as string)
    : 'routes'
}

const MAY: Record<string, (to: string) => boolean> = {
  trading: () => false,
  contract: (to) => to === 'trading',
  server: (to) => ['contract', 'trading'].includes(to),
  data: (to) => ['contract', 'trading'].includes(to),
  state: (to) => to === 'contract',
  text: (to) => ['contract', 'trading'].includes(to),
  ui: (to) => to === 'text',
  routes: (to) =>
    to.startsWith('features/') ||
    ['screen', 'ui', 'data', 'state', 'text', 'contract', 'trading'].includes(to),
  // what every screen uses: going somewhere, failures, messages, data, the identity that acts
  screen: (to) => ['ui', 'data', 'state', 'text', 'contract', 'trading'].includes(to),
  sw: (to) => ['data', 'text', 'contract', 'trading'].includes(to),
  tests: () => true,
}
const feature = (to: string) => ['screen', 'ui', 'data', 'state', 'text', 'contract', 'trading'].includes(to)

describe('imports point one way', () => {
  test('every room imports only what it may, across rooms by #room/…', () => {
    const wrong: string[] = []
    for (const { path, text } of files) {
      const room = roomOf(path)
      const may = room.startsWith('features/') ? feature : MAY[room]
      for (const spec of importsOf(text)) {
        const to = target(path, spec)
        if (to === null) continue
        const other = roomOf(to)
        if (other === room) continue
        if (!may?.(other))
          wrong.push(
            `${path} (${room}) imports ${spec} (${other}): join them in routes, or move the part to ui`,
          )
        else if (spec.startsWith('.') && room !== 'routes')
          wrong.push(`${path}: write #${other}/… instead of ${spec}`)
      }
    }
    expect(wrong).toEqual([])
  })
  test('every import of our own leads to a file, written with its extension', () => {
    const wrong = files.flatMap(({ path, text }) =>
      importsOf(text)
        .filter((spec) => {
          const to = target(path, spec)
          return (
            to !== null &&
            !spec.includes('?') &&
            !to.endsWith('routeTree.gen.ts') &&
            !existsSync(join(ROOT, to))
          )
        })
        .map((spec) => `${path}: ${spec}`),
    )
    expect(wrong).toEqual([])
  })
  test('no circle of files, also none by types: what two need of each other stands in a file below both', () => {
    const below = new Map(
      files.map(({ path, text }) => [path, importsOf(text).map((spec) => target(path, spec) ?? '')]),
    )
    expect(circlesOf(below)).toEqual([])
  })
  test('no circle of folders either: of what stands in one folder, files and folders, none leads back to itself', () => {
    const inside = new Map<string, Map<string, Set<string>>>()
    for (const { path, text } of files.filter(({ path }) => !path.startsWith('tests/')))
      for (const to of importsOf(text).map((spec) => target(path, spec)?.split('/') ?? [])) {
        const from = path.split('/')
        const parting = from.findIndex((name, at) => name !== to[at])
        if (parting < 1 || to[parting] === undefined) continue
        const folder = from.slice(0, parting).join('/')
        const below = inside.get(folder) ?? new Map<string, Set<string>>()
        const [a, b] = [from[parting] as string, to[parting]]
        inside.set(folder, below.set(a, (below.get(a) ?? new Set()).add(b)))
      }
    const circles = [...inside].flatMap(([folder, below]) =>
      circlesOf(below).map((circle) => `${folder}: ${circle}; move what both need one folder up`),
    )
    expect(circles).toEqual([])
  })
  test('src/ui knows no noun but in nouns/: no such name, nothing asked from there, no words of a noun', () => {
    const parts = files.filter(({ path }) => /^src\/ui\/(?!nouns\/)/.test(path))
    const named = parts.filter(({ path }) =>
      /(Signal|Strategy|Position|Trade|Order|Price|Delta|Webhook|Member|Organization)/i.test(
        path.replace('src/ui/', ''),
      ),
    )
    const asked = parts.filter(({ path, text }) =>
      importsOf(text).some((spec) =>
        /^src\/(ui\/nouns\/|text\/(signal|strategy|row|webhook|voided|events)\.)/.test(
          target(path, spec) ?? '',
        ),
      ),
    )
    expect([...named, ...asked].map(({ path }) => path)).toEqual([])
  })
  test('src/data knows no React, no DOM storage', () => {
    const wrong = files
      .filter(({ path }) => path.startsWith('src/data/'))
      .filter(({ text }) =>
        /from 'react|\blocalStorage\.|\bdocument\.|\bwindow\./.test(
          text.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, ''),
        ),
      )
    expect(wrong.map(({ path }) => path)).toEqual([])
  })
})

describe('data', () => {
  const code = (text: string) => text.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '')
  const found = (where: RegExp, what: RegExp) =>
    files
      .filter(({ path }) => where.test(path))
      .flatMap(({ path, text }) => (code(text).match(what) ?? []).map((hit) => `${path}: ${hit.trim()}`))

  test('screens call nothing themselves: what is asked and changed stands with its noun in src/data/nouns', () => {
    const calls =
      /client\s*\??\.(call|download|send)\b|outbox\s*\??\.send\b|\b(mutation|query)Options\(|\b(mutationKey|onSettled):/g
    /** Taken out of the client to be called by its own name, or a write that a screen makes itself; asking a noun's is fine. */
    const taken =
      /\{[^{}]*\b(call|download|send)\b[^{}]*\}\s*=[^=>\n]*\b(client|outbox|(get|use)Data)\b|(?<!\.)\bmutationFn\b/g
    const cache =
      /\.(invalidate|remove|reset|refetch|cancel)Queries\(|\.(set|ensure)Quer(y|ies)Data\(|\bqueryFn\b/g
    for (const what of [calls, taken, cache])
      expect(found(/^src\/(features|screen|routes|ui|state|text|glance)\//, what)).toEqual([])
    const seen = [
      'await getData().client.call(x)',
      'const { call } = useData().client',
      'const { call: ask, send } = client',
      'const send = data.outbox.send',
      'useMutation({ mutationFn: async () => 1 })',
    ]
    for (const line of seen)
      expect(
        [calls, taken].some((what) => line.search(what) >= 0),
        line,
      ).toBe(true)
    expect('await memoMutations.add().mutationFn(input)'.search(taken)).toBe(-1)
  })
  test('screens name no call that may wait: src/data/nouns/queued.ts does', () => {
    const names = new RegExp(`['"\`](${Object.keys(QUEUED).join('|')}|signal\\.manual-)['"\`]`, 'g')
    expect(found(/^src\/(features|screen|routes|ui|state|text|glance)\//, names)).toEqual([])
    expect([...Object.values(BY_HAND), ...NAMING].filter((name) => !QUEUED[name])).toEqual([])
    const by_hand = Object.keys(QUEUED).filter((name) => name.startsWith('signal.manual-'))
    expect(by_hand.toSorted()).toEqual(Object.values(BY_HAND).toSorted())
  })
  test('no browser code reads the shape of an answer: the build leaves it out (vite.config.ts)', () => {
    expect(found(/^(src|sw)\//, /(?<!\bz)\.output\b/g)).toEqual([])
  })
})

describe('files', () => {
  const ours = files.filter(({ path }) => !path.startsWith('tests/fixtures'))
  const lines = (text: string) => text.split('\n').length - 1
  test('routes stay within 40 lines', () => {
    const long = ours.filter(({ path, text }) => path.startsWith('src/routes/') && lines(text) > 40)
    expect(long.map(({ path }) => path)).toEqual([])
  })
  test('the first line of each says what it is for', () => {
    expect(ours.filter(({ text }) => !/^(\/\/|\/\*\*?) ?\S/.test(text)).map(({ path }) => path)).toEqual([])
  })
  test('no drawer for everything, no default export but where a tool wants it', () => {
    expect(
      ours
        .filter(({ path }) => /(^|\/)(utils|helpers|common|misc|types)(\.|\/)/.test(path))
        .map(({ path }) => path),
    ).toEqual([])
    expect(ours.filter(({ text }) => /^export default/m.test(text)).map(({ path }) => path)).toEqual([])
  })
  test('no switched-off check, nothing left open', () => {
    const marks = [
      `@ts-${'ignore'}`,
      `@ts-${'nocheck'}`,
      `: ${'any'}\\b`,
      `as ${'any'}\\b`,
      `\\bTO${'DO'}\\b`,
      `FIX${'ME'}`,
      `(it|test|describe)\\.${'only'}`,
    ]
    const pattern = new RegExp(marks.join('|'))
    expect(ours.filter(({ text }) => pattern.test(text)).map(({ path }) => path)).toEqual([])
  })
})

describe('styles', () => {
  const rest = sheets.filter((sheet) => !isModule(sheet) && !EVERYBODY.includes(sheet.path))

  test('only tokens, reset and type are for everybody; every other sheet is the module of its component', () => {
    expect(rest.map(({ path }) => path)).toEqual([])
    expect(strayed()).toEqual([])
    expect(crowded()).toEqual([])
  })
  test('no sheet restyles the class of another component', () => {
    const words = new Set(
      sheets.filter(({ path }) => EVERYBODY.includes(path)).flatMap(({ own }) => [...own]),
    )
    const restyled = sheets
      .filter(isModule)
      .flatMap(({ path, foreign }) =>
        foreign.filter((name) => !words.has(name)).map((name) => `${path}: .${name}`),
      )
    expect(restyled).toEqual([])
  })
  test('no sheet reaches into another part: what a part can look like is a prop of it', () => {
    expect(reached()).toEqual([])
  })
  test('what components and tests ask for is there, what is there is asked for, and no two are called the same', () => {
    expect(unmatched()).toEqual([])
    expect(unknown()).toEqual([])
    expect(sought()).toEqual([])
    expect(doubled()).toEqual([])
  })
  test('every value in tokens.css is read somewhere', () => {
    expect(unread()).toEqual([])
  })
})

describe('names', () => {
  test('the top level holds the names of the plan', () => {
    const names = [
      'README.md',
      'package.json',
      'tsconfig.json',
      'vite.config.ts',
      'index.html',
      'contract',
      'trading',
      'server',
      'src',
      'sw',
      'tests',
      'public',
      'docs',
    ]
    expect(names.filter((name) => !existsSync(join(ROOT, name)))).toEqual([])
  })
  test('every page stands in the tree of routes', () => {
    const tree = readFileSync(join(ROOT, 'src/routeTree.gen.ts'), 'utf8')
    const missing = files
      .filter(({ path }) => path.startsWith('src/routes/'))
      .filter(({ path }) => !tree.includes(`'./${path.slice('src/'.length).replace(/\.tsx$/, '')}'`))
      .map(({ path }) => `${path}: npm run dev or npm run build writes it into src/routeTree.gen.ts`)
    expect(missing).toEqual([])
  })
})

describe('the proof of the specification', () => {
  // spec §0: This document covers the whole product as far as it is known.
  test.each(['spec', 'domain'] as const)('every sentence of %s names the tests that prove it', (name) => {
    const page = readFileSync(join(ROOT, PAGES[name]), 'utf8')
    const { text, wrong } = written(name, page)
    expect(wrong).toEqual([])
    expect(page === text, `${PAGES[name]} is older than the tests: run npm run proof`).toBe(true)
  })
})
