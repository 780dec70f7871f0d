// The packages: those of the card are there and used, none lies about, and the lock file is whole.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { files, ROOT } from './support/sources.ts'

describe('packages', () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const configs = ['vite.config.ts', 'vitest.config.ts', 'playwright.config.ts'].map((path) =>
    readFileSync(join(ROOT, path), 'utf8'),
  )
  /** Everything but this list itself. */
  const sources = [
    ...files.filter(({ path }) => path !== 'tests/packages.test.ts').map(({ text }) => text),
    ...configs,
  ].join('\n')

  const used = (name: string) => sources.includes(`'${name}'`) || sources.includes(`'${name}/`)

  test('the sixteen packages of the card are dependencies by the names it writes, and each is used', () => {
    const card = [
      'react',
      'vite',
      'vite-plugin-pwa',
      'workbox-window',
      '@tanstack/react-query',
      '@tanstack/query-sync-storage-persister',
      '@tanstack/react-router',
      'valtio',
      'ky',
      'jwt-decode',
      'dexie',
      '@mantine/core',
      '@mantine/notifications',
      'vitest',
      'playwright',
      'typescript',
    ]
    const all = { ...manifest.dependencies, ...manifest.devDependencies }
    expect(card).toHaveLength(16)
    expect(card.filter((name) => !(name in all))).toEqual([])
    // The compiler is not imported: the command that checks the types runs it.
    expect(card.filter((name) => name !== 'typescript' && !used(name))).toEqual([])
    expect(manifest.scripts.types).toContain(' tsc ')
  })
  test('no dependency lies about unused', () => {
    // @mantine/hooks is the exact peer of @mantine/core: named so that npm takes this version and no other.
    const tools = /^(@types\/|typescript$|@biomejs\/biome$|@mantine\/hooks$)/
    const unused = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
      (name) => !tools.test(name) && !used(name),
    )
    expect(unused).toEqual([])
  })
  test('the lock file is whole, names no registry, and no package may run an install script', () => {
    const packages: Record<string, { optionalDependencies?: Record<string, string>; resolved?: string }> =
      lock.packages
    const paths = new Set(Object.keys(packages))
    const missing: string[] = []
    for (const [path, entry] of Object.entries(packages))
      for (const name of Object.keys(entry.optionalDependencies ?? {})) {
        const found = [...parents(path)].some((parent) => paths.has(`${parent}node_modules/${name}`))
        if (!found) missing.push(`${path || '.'} → ${name}`)
      }
    expect(missing).toEqual([])
    expect(
      Object.entries(packages)
        .filter(([, entry]) => entry.resolved?.startsWith('http'))
        .map(([path]) => path),
    ).toEqual([])
    expect(readFileSync(join(ROOT, '.npmrc'), 'utf8')).toContain('ignore-scripts=true')
  })
})

/** A lock path and all that stand above it, each ending so that node_modules can follow. */
function* parents(path: string): Generator<string> {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1)))
    yield `${at}/`
  yield ''
}
