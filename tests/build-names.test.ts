// What the build knows by name is there, and a renamed file stops it: a page never leaves the start without a word.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FRAME_SCREEN, namedAreThere, PAGES } from '#server/cli/chunks.ts'
import { IN_ENTRY, wrongInEntry } from '#server/cli/entry-contract.ts'
import { files, ROOT } from './support/sources.ts'
import { sheets } from './support/styles.ts'

const there = [...[...files, ...sheets].map(({ path }) => join(ROOT, path)), FRAME_SCREEN]
const without = (gone: string) => there.filter((id) => !id.startsWith(gone))

/** Rooms are no files: tests/house.test.ts holds them. */
const ROOMS = new Set(files.flatMap(({ path }) => path.split('/').slice(0, -1)))

/** Names of files that stand in the regular expressions and globs of a text. */
function named(text: string): string[] {
  const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, '')
  const patterns = [
    ...(code.match(/(?<=[:(\s])\/(?![/*\s])(?:\\.|[^/\n])+\/[gimsu]*(?=[\s,.)])/g) ?? []),
    ...(code.match(/'[^'\n]*\*[^'\n]*'/g) ?? []),
  ]
  const words = new Set(patterns.flatMap((one) => one.match(/[a-z]+(?:-[a-z]+)*/gi) ?? []))
  return files
    .filter(({ path }) => /^(src|sw|contract|trading)\//.test(path))
    .map(({ path }) => basename(path).replace(/(\.module)?\.\w+$/, ''))
    .filter((name) => words.has(name) && !ROOMS.has(name))
}

describe('the build', () => {
  test('has every file that it names', () => {
    expect(() => namedAreThere(there)).not.toThrow()
  })
  test('stops with the name of a file that is there no more', () => {
    const names = [
      ...Object.values(PAGES).map(({ file }) => file),
      FRAME_SCREEN,
      ...['src/main.tsx', 'src/features/demo/', 'src/screen/toast.ts', 'src/ui/mantine/'].map((path) =>
        join(ROOT, path),
      ),
    ]
    for (const name of names) expect(() => namedAreThere(without(name)), name).toThrow(name)
  })
  test('names no file in a regular expression or a glob: nobody hears when it leads nowhere', () => {
    for (const path of ['vite.config.ts', 'server/cli/chunks.ts'])
      expect(named(readFileSync(join(ROOT, path), 'utf8')), path).toEqual([])
  })
  test('a name in a regular expression or a glob is found', () => {
    expect(named('alias: [{ find: /^(react|\\.\\/drag-down\\.ts)$/, replacement }]')).toEqual(['drag-down'])
    expect(named("globIgnores: ['assets/{color-test,icons}-*.{js,css}']")).toContain('color-test')
  })
})

describe('what of the contract stands in the entry', () => {
  /** The entry as it is listed, with `more`. */
  const entry = (more: Record<string, number> = {}) =>
    Object.fromEntries(
      Object.entries({
        ...Object.fromEntries(Object.entries(IN_ENTRY).map(([path, { most = 1 }]) => [path, most])),
        'src/main.tsx': 500,
        'contract/only-types.ts': 0,
        ...more,
      }).map(([path, renderedLength]) => [join(ROOT, path), { renderedLength }]),
    )

  test('as it is listed the build goes on; a shape drawn in, a file that grew and one that left stop it', () => {
    expect(wrongInEntry(entry())).toEqual([])
    expect(wrongInEntry(entry({ 'contract/strategy.ts': 20 }))).toEqual([
      expect.stringContaining('contract/strategy.ts (20 bytes) came into it'),
    ])
    expect(wrongInEntry(entry({ 'contract/fields.ts': 4_401 }))).toEqual([
      expect.stringContaining('contract/fields.ts has 4401 bytes of 4400'),
    ])
    expect(wrongInEntry(entry({ 'contract/ids.ts': 0 }))).toEqual(['contract/ids.ts is not in it any more'])
  })
  test('each file is there; what grows by rows of words has no shape in it', () => {
    const text = (path: string) => files.find((one) => one.path === path)?.text ?? ''
    expect(Object.keys(IN_ENTRY).filter((path) => text(path) === '')).toEqual([])
    const wordy = Object.entries(IN_ENTRY).flatMap(([path, { most }]) => (most === undefined ? [path] : []))
    expect(wordy.filter((path) => /from 'zod|from '\.\/fields/.test(text(path)))).toEqual([])
  })
})
