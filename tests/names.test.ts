// One meaning for one name: what two files give to others under the same name, and why each of these may.
import { describe, expect, test } from 'vitest'
import { files } from './support/sources.ts'

const bare = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/.*/g, '')
const given = files
  .filter(({ path }) => /^(contract|trading|server|src|sw)\//.test(path) && !/^src\/routes\//.test(path))
  .map(({ path, text }) => ({ path, code: bare(text) }))

const SHAPE = /^export (?:type|interface|(?:abstract )?class) (\w+)/gm
const VALUE = /^export (?:async )?(?:const|let|function\*?) (\w+)/gm

const DRAWN = 'a row of the database, and the line of a list that draws it'
const WIRE = 'the shape that travels, written out, and what the fold or the reader makes of that shape'
const PROVED = 'nobody asks for it: the compiler finds there that a list left something out'
const APART = 'one thing; src/data and src/state know nothing of each other'

/** Shapes of two files that are called the same for a reason. */
const SHAPES: Record<string, string> = {
  AnnouncementRow: DRAWN,
  ConnectionState: APART,
  DeliveryRow: DRAWN,
  InviteRow: DRAWN,
  Mapping: WIRE,
  NotificationRow: DRAWN,
  Product: WIRE,
  Statistics: WIRE,
  StatsSummary: WIRE,
  StorageLike: APART,
  Unlisted: PROVED,
}

type Source = { path: string; code: string }

/** Where each name is given; a shape and a value of one file are one thing. */
function homes(all: readonly Source[], what: readonly RegExp[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { path, code } of all)
    for (const [, name = ''] of what.flatMap((pattern) => [...code.matchAll(pattern)]))
      found.set(name, (found.get(name) ?? new Set()).add(path))
  return found
}

/** Names of shapes that another file gives to others, too, be it as a shape or as a value. */
function shapesTwice(all: readonly Source[]): [name: string, paths: string[]][] {
  const shapes = homes(all, [SHAPE])
  return [...homes(all, [SHAPE, VALUE])]
    .filter(([name, paths]) => paths.size > 1 && shapes.has(name))
    .map(([name, paths]) => [name, [...paths].sort()])
}

describe('names', () => {
  test('a shape has a name of its own: no other file gives anything of that name', () => {
    const wrong = shapesTwice(given)
      .filter(([name]) => !(name in SHAPES))
      .map(([name, paths]) => `${name}: ${paths.join(', ')}; say which it is`)
    expect(wrong).toEqual([])
  })
  test('every exception is still needed, and they stand in order', () => {
    const twice = new Set(shapesTwice(given).map(([name]) => name))
    expect(Object.keys(SHAPES).filter((name) => !twice.has(name))).toEqual([])
    expect(Object.keys(SHAPES)).toEqual(Object.keys(SHAPES).toSorted())
  })
  test('what is given twice is found', () => {
    const one = { path: 'a.ts', code: 'export interface Part {}\nexport const PARTS = []' }
    const other = { path: 'b.tsx', code: 'export function Part() {}' }
    expect(shapesTwice([one, other])).toEqual([['Part', ['a.ts', 'b.tsx']]])
    const both = { path: 'c.ts', code: 'export const Side = {}\nexport type Side = keyof typeof Side' }
    expect(shapesTwice([one, both])).toEqual([])
  })
})
